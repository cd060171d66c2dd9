// Renders a Helm chart as `helm template` does, for machines without Helm: Go's own templates with Sprig, and the functions that Helm
// adds and this chart uses. Usage: main CHART RELEASE NAMESPACE VALUES.yaml, on standard output all documents; an error ends it with 1.
package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"sigs.k8s.io/yaml"
)

type files string

// Get returns a file of the chart, empty where there is none, as Helm's .Files does.
func (root files) Get(name string) string {
	bytes, err := os.ReadFile(filepath.Join(string(root), name))
	if err != nil {
		return ""
	}
	return string(bytes)
}

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func read(path string) map[string]interface{} {
	text, err := os.ReadFile(path)
	fail(err)
	values := map[string]interface{}{}
	fail(yaml.Unmarshal(text, &values))
	return values
}

// merge lays values over defaults, map by map, as Helm does; null removes a default.
func merge(over, under map[string]interface{}) map[string]interface{} {
	for name, value := range under {
		given, isGiven := over[name]
		a, isMap := given.(map[string]interface{})
		b, wasMap := value.(map[string]interface{})
		switch {
		case isGiven && given == nil:
			delete(over, name)
		case !isGiven:
			over[name] = value
		case isMap && wasMap:
			over[name] = merge(a, b)
		}
	}
	return over
}

func main() {
	root, release, namespace := os.Args[1], os.Args[2], os.Args[3]
	chart := read(filepath.Join(root, "Chart.yaml"))
	facts := map[string]interface{}{"Name": chart["name"], "Version": chart["version"], "AppVersion": chart["appVersion"]}
	data := map[string]interface{}{
		"Values":  merge(read(os.Args[4]), read(filepath.Join(root, "values.yaml"))),
		"Release": map[string]interface{}{"Name": release, "Namespace": namespace, "Service": "Helm"},
		"Chart":   facts,
		"Files":   files(root),
	}
	all := template.New("chart").Option("missingkey=zero")
	functions := sprig.TxtFuncMap()
	delete(functions, "env")
	delete(functions, "expandenv")
	functions["toYaml"] = func(value interface{}) string {
		text, err := yaml.Marshal(value)
		fail(err)
		return strings.TrimSuffix(string(text), "\n")
	}
	functions["include"] = func(name string, data interface{}) (string, error) {
		var out bytes.Buffer
		err := all.ExecuteTemplate(&out, name, data)
		return out.String(), err
	}
	functions["required"] = func(message string, value interface{}) (interface{}, error) {
		if value == nil || value == "" {
			return nil, fmt.Errorf("%s", message)
		}
		return value, nil
	}
	all.Funcs(functions)
	paths, err := filepath.Glob(filepath.Join(root, "templates", "*"))
	fail(err)
	sort.Strings(paths)
	for _, path := range paths {
		text, err := os.ReadFile(path)
		fail(err)
		_, err = all.New(filepath.Base(path)).Parse(string(text))
		fail(err)
	}
	for _, path := range paths {
		name := filepath.Base(path)
		if strings.HasPrefix(name, "_") {
			continue
		}
		var out bytes.Buffer
		fail(all.ExecuteTemplate(&out, name, data))
		fmt.Printf("---\n# Source: %s\n%s\n", name, strings.ReplaceAll(out.String(), "<no value>", ""))
	}
}
