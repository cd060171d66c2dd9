# The service as a container: built from the lockfile, run by an account without rights.
FROM node:24-bookworm-slim AS build
WORKDIR /swath
ENV TURBO_TELEMETRY_DISABLED=1 DO_NOT_TRACK=1
COPY . .
RUN npx -y pnpm@12.21.0 install --frozen-lockfile \
 && PATH="/swath/node_modules/.bin:$PATH" turbo run build \
 && PATH="/swath/node_modules/.bin:$PATH" npm run docs \
 && cd apps/explorer && PATH="/swath/node_modules/.bin:$PATH" vite build --logLevel error

# the packages that the service needs to run, and nothing of what builds and tests it
FROM node:24-bookworm-slim AS production
WORKDIR /swath
COPY package.json pnpm-lock.yaml pnpm-workspace.yaml ./
COPY packages packages
COPY apps/api apps/api
RUN npx -y pnpm@12.21.0 install --frozen-lockfile --prod --filter "@swath/api..." \
 && find packages apps -name test -type d -prune -exec rm -rf {} + \
 && find packages apps -path '*/node_modules' -prune -o -name src -type d -prune -exec rm -rf {} +
COPY --from=build /swath/apps/api/dist apps/api/dist
COPY --from=build /swath/apps/explorer/dist apps/explorer/dist
COPY --from=build /swath/apps/docs/dist apps/docs/dist
COPY --from=build /swath/packages built
RUN for package in packages/*; do cp -r "built/$(basename "$package")/dist" "$package/dist"; done && rm -rf built
COPY LICENSE ./

FROM node:24-bookworm-slim
# SWATH_HEALTH_PORT: each role answers /live and /ready there, for this machine alone unless SWATH_HEALTH_HOST says otherwise
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 SWATH_HEALTH_PORT=8081 SWATH_DATA_DIR=/data SWATH_LOG_FORMAT=json
WORKDIR /swath
COPY --from=production /swath /swath
RUN mkdir /data compiled && chown node:node /data compiled
USER node
# compiled code of main and render threads, read by each start of the same account: one start, which ends as soon as it
# listens, with an archive that is nowhere
ENV NODE_COMPILE_CACHE=/swath/compiled
RUN SWATH_DATA_DIR=/tmp/start SWATH_UPSTREAM_URL=http://127.0.0.1:9 node apps/api/scripts/compile.mjs && rm -rf /tmp/start
VOLUME /data
EXPOSE 8080
# as `npm start` has it: with the defaults of Node 24 young objects cost 100 MB more
CMD ["node", "--max-semi-space-size=4", "--initial-old-space-size=64", "apps/api/dist/main.js"]
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.SWATH_HEALTH_PORT}/ready`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
