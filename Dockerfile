FROM docker.io/library/node:24-trixie-slim AS base

FROM base AS build
WORKDIR /kith
COPY package.json package-lock.json ./
COPY packages/client/package.json packages/client/
COPY runtime runtime
# Nothing that the build needs has an install script.
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build && find dist -name '.tsbuildinfo' -delete

FROM base AS production
WORKDIR /kith
COPY package.json package-lock.json ./
COPY runtime runtime
# TypeScript and zod are optional peers of viem, which npm installs unless optional packages are omitted too, and those
# include the binary that draws pictures. The page in dist/ contains the client. Types, source maps and the sources of
# SQLite are two thirds of what is left.
RUN npm ci --omit=dev --workspaces=false --ignore-scripts \
  && rm -r node_modules/typescript node_modules/zod \
  && find node_modules -type f \( -name '*.map' -o -name '*.ts' -o -name '*.mts' -o -name '*.cts' \) -delete \
  && rm -r node_modules/better-sqlite3/deps node_modules/better-sqlite3/src

FROM base
LABEL org.opencontainers.image.title="Kith" \
  org.opencontainers.image.description="A self-hosted, read-only API and indexer for the Ethereum Follow Protocol" \
  org.opencontainers.image.licenses="MIT"
WORKDIR /kith
COPY LICENSE package.json ./
COPY bin bin
COPY docs docs
COPY --from=production /kith/node_modules node_modules
COPY --from=build /kith/dist dist
RUN mkdir /data && chown 1000:1000 /data
# The user of the base image, as a number so that Kubernetes can see that it is not root.
USER 1000:1000
ENV NODE_ENV=production \
  HOST=0.0.0.0 \
  OPERATIONS_PORT=9464 \
  INDEXER_OPERATIONS_PORT=9465 \
  DATABASE_URL=sqlite:/data/kith.db
VOLUME /data
EXPOSE 3000 9464 9465
STOPSIGNAL SIGTERM
# Time for a migration: until it is done, nothing is served.
HEALTHCHECK --interval=30s --timeout=5s --start-period=20m --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.OPERATIONS_PORT}/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# The options of the first line of bin/kith.js. Not through npm or a shell, which would not forward SIGTERM.
ENTRYPOINT ["node", "--max-semi-space-size=8", "bin/kith.js"]
CMD ["start"]
