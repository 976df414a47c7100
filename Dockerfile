# Mneme as a server: docker build -t mneme . && docker run -p 127.0.0.1:7077:7077 -e MNEME_API_KEY=… -v mneme:/data mneme
FROM node:24-slim AS build
WORKDIR /mneme
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
# Milvus's SDK is a development dependency and an optional peer: npm leaves it out with either.
RUN npm run build && npm pkg delete devDependencies peerDependencies peerDependenciesMeta \
  && npm install --no-audit --no-fund @zilliz/milvus2-sdk-node@3

FROM node:24-slim
WORKDIR /mneme
ENV NODE_ENV=production MNEME_DB=/data/memory.db MNEME_HOST=0.0.0.0 MNEME_PORT=7077
COPY --from=build /mneme/package.json /mneme/LICENSE ./
COPY --from=build /mneme/bin ./bin
COPY --from=build /mneme/data ./data
COPY --from=build /mneme/migrations ./migrations
COPY --from=build /mneme/dist ./dist
COPY --from=build /mneme/node_modules ./node_modules
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 7077
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.MNEME_PORT}/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "bin/mneme.js", "serve"]
