/** Text made safe inside HTML. */
export function escapeHtml(text: string): string {
  return text.replace(
    /[&<>"']/g,
    (mark) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" })[mark] ?? mark,
  );
}

const STYLE = `
:root { color-scheme: light dark; --ink: #16202a; --paper: #fbfbf9; --line: #d9dcd6; --link: #0b5a8a; --soft: #f0f1ec; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ec; --paper: #14181c; --line: #343b42; --link: #7cc0ee; --soft: #1d2329; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 60rem; padding: 2rem 1.25rem 4rem; color: var(--ink); background: var(--paper);
  font: 1rem/1.55 system-ui, sans-serif; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 .5rem; } h2 { margin: 2.2rem 0 .6rem; font-size: 1.2rem; }
a { color: var(--link); } code, pre { font: .9em/1.5 ui-monospace, monospace; background: var(--soft); border-radius: .3rem; }
code { padding: .1em .3em; } pre { padding: .8rem 1rem; overflow-x: auto; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; vertical-align: top; padding: .4rem .8rem .4rem 0;
  border-bottom: 1px solid var(--line); } th { font-weight: 600; }
section.op { border-top: 1px solid var(--line); padding-top: 1rem; margin-top: 1.6rem; overflow-x: auto; }
.method { font: 600 .8rem ui-monospace, monospace; border: 1px solid var(--line); border-radius: .3rem; padding: .15rem .4rem; }
pre code { padding: 0; background: none; } h3 { margin: 1.6rem 0 .4rem; font-size: 1.05rem; } img { max-width: 100%; height: auto; }
nav ul { columns: 2; padding-left: 1.1rem; } nav li { break-inside: avoid; overflow-wrap: anywhere; } @media (max-width: 36rem) { nav ul { columns: 1; } }
`;

/** The sign of the service, in the page itself: without one browsers ask for /favicon.ico. */
const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Crect width='32' height='32' rx='7' fill='%230b5a8a'/%3E%3Cpath d='m9 24 13-15 3 2-13 15z' fill='%23fff'/%3E%3C/svg%3E";

/** One HTML page of the service: self-contained, nothing loaded from elsewhere. `body` is HTML already. */
export function page(title: string, body: string): Response {
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="${ICON}">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
${body}
</body>
</html>
`;
  return new Response(html, {
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Length": String(Buffer.byteLength(html)),
      "Cache-Control": "public, max-age=600",
      "Content-Security-Policy":
        "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'",
      "X-Content-Type-Options": "nosniff",
    },
  });
}
