export { createHttpServer, type SocketApp } from "./server/http-server.ts";
export { checkAddresses, type ListenAddress, ListenError, listenAt } from "./server/listen.ts";
export { createProbeServer, LIVE } from "./server/probe-server.ts";
