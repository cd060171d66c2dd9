{{- define "swath.labels" -}}
app.kubernetes.io/name: swath
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- /* of one role: (dict "root" $ "role" "api") */ -}}
{{- define "swath.selector" -}}
app.kubernetes.io/name: swath
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .role }}
{{- end }}

{{- define "swath.name" -}}
{{- $base := ternary .root.Release.Name (printf "%s-swath" .root.Release.Name) (contains "swath" .root.Release.Name) -}}
{{- printf "%s-%s" ($base | trunc 50 | trimSuffix "-") .role -}}
{{- end }}

{{- define "swath.host" -}}
{{- .Values.ingress.host | default (get (urlParse .Values.publicUrl) "host") -}}
{{- end }}

{{- define "swath.check" -}}
{{- range $name := list "publicUrl" "upstreamUrl" "secretName" -}}
{{- $_ := required (printf "%s has to be set" $name) (get $.Values $name) -}}
{{- end -}}
{{- $_ := required "results.url has to be set, as s3://bucket/prefix" .Values.results.url -}}
{{- end }}

{{- /* the pod of one role: (dict "root" $ "role" "api" "values" .Values.api) */ -}}
{{- define "swath.pod" -}}
{{- $values := .root.Values -}}
metadata:
  labels:
    {{- include "swath.selector" . | nindent 4 }}
    app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
  annotations:
    # a change of settings replaces the pods
    checksum/settings: {{ include "swath.environment" . | sha256sum }}
spec:
  {{- with $values.imagePullSecrets }}
  imagePullSecrets: {{ toYaml . | nindent 4 }}
  {{- end }}
  automountServiceAccountToken: false
  # the service ends within ten seconds of SIGTERM, which comes after preStop
  terminationGracePeriodSeconds: 30
  securityContext:
    runAsNonRoot: true
    runAsUser: 1000
    runAsGroup: 1000
    fsGroup: 1000
    seccompProfile: { type: RuntimeDefault }
  topologySpreadConstraints:
    - maxSkew: 1
      topologyKey: kubernetes.io/hostname
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels: {{- include "swath.selector" . | nindent 10 }}
  {{- with .values.nodeSelector }}
  nodeSelector: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .values.tolerations }}
  tolerations: {{- toYaml . | nindent 4 }}
  {{- end }}
  containers:
    - name: {{ .role }}
      image: {{ printf "%s:%s" $values.image.repository ($values.image.tag | default .root.Chart.AppVersion) | quote }}
      imagePullPolicy: {{ $values.image.pullPolicy }}
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities: { drop: [ALL] }
      ports:
        {{- if eq .role "api" }}
        - { name: http, containerPort: 8080 }
        {{- end }}
        - { name: health, containerPort: 8081 }
        - { name: metrics, containerPort: 9100 }
      env: {{- include "swath.environment" . | nindent 8 }}
      envFrom:
        - secretRef: { name: {{ $values.secretName | quote }} }
      startupProbe:
        httpGet: { path: /live, port: health }
        periodSeconds: 2
        failureThreshold: 60
      livenessProbe:
        httpGet: { path: /live, port: health }
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 6
      readinessProbe:
        httpGet: { path: /ready, port: health }
        periodSeconds: 5
        timeoutSeconds: 5
        failureThreshold: 2
      {{- if eq .role "api" }}
      lifecycle:
        # endpoints are withdrawn while the node still answers
        preStop: { exec: { command: [sleep, "5"] } }
      {{- end }}
      resources: {{- toYaml .values.resources | nindent 8 }}
      volumeMounts:
        - { name: data, mountPath: /data }
        - { name: tmp, mountPath: /tmp }
  volumes:
    - name: data
      emptyDir: { sizeLimit: {{ .values.dataSize }} }
    - name: tmp
      emptyDir: { sizeLimit: 256Mi }
{{- end }}

{{- define "swath.environment" -}}
{{- $values := .root.Values -}}
{{- $set := dict
  "SWATH_ROLE" .role
  "SWATH_PUBLIC_URL" $values.publicUrl
  "SWATH_UPSTREAM_URL" $values.upstreamUrl
  "SWATH_TRUST_PROXY" $values.trustedProxies
  "SWATH_RESULTS_URL" $values.results.url
  "SWATH_RESULTS_REGION" $values.results.region
  "SWATH_SHARED_IMAGES" (ternary "on" "off" $values.sharedImages)
  "SWATH_JOB_SLOTS" $values.worker.jobSlots
  "SWATH_WORKERS" .values.workers
  "SWATH_BLOCK_CACHE_MB" .values.blockCacheMb
  "SWATH_HEALTH_PORT" "8081"
  "SWATH_HEALTH_HOST" "0.0.0.0"
  "SWATH_METRICS_PORT" "9100"
  "SWATH_METRICS_HOST" "0.0.0.0"
-}}
{{- with $values.results.endpoint }}{{ $_ := set $set "SWATH_RESULTS_ENDPOINT" . }}{{ end -}}
{{- with $values.tracesEndpoint }}{{ $_ := set $set "OTEL_EXPORTER_OTLP_ENDPOINT" . }}{{ end -}}
{{- if eq .role "api" }}{{ $_ := set $set "SWATH_TILE_CACHE_MB" .values.tileCacheMb }}{{ end -}}
{{- if eq .role "worker" }}{{ $_ := set $set "SWATH_WORKER_JOBS" .values.jobsPerWorker }}{{ end -}}
{{- if and (eq .role "worker") .values.jobPartValues }}{{ $_ := set $set "SWATH_JOB_PART_VALUES" (int64 .values.jobPartValues) }}{{ end -}}
{{- range $name, $value := merge (deepCopy $values.settings) $set }}
- name: {{ $name }}
  value: {{ $value | toString | quote }}
{{- end }}
{{- end }}
