// What the Node.js runtime of AWS Lambda does with a function: loads its handler, then asks for one event after the other.
// Run as `node runtime.mjs FOLDER`.
import { pathToFileURL } from "node:url";

const { AWS_LAMBDA_RUNTIME_API: address } = process.env;
const api = `http://${address}/2018-06-01/runtime`;
const post = (path, body) => fetch(`${api}/${path}`, { method: "POST", body: JSON.stringify(body) });
const fault = ({ name, message, stack }) => ({ errorType: name, errorMessage: message, stackTrace: stack.split("\n") });

const { handler } = await import(pathToFileURL(`${process.argv[2]}/index.mjs`)).catch(async (error) => {
  await post("init/error", fault(error));
  process.exit(1);
});
for (;;) {
  const next = await fetch(`${api}/invocation/next`);
  const id = next.headers.get("Lambda-Runtime-Aws-Request-Id");
  const event = await next.json();
  try {
    await post(`invocation/${id}/response`, await handler(event, { awsRequestId: id }));
  } catch (error) {
    await post(`invocation/${id}/error`, fault(error));
  }
}
