# Debian 12 with Node, for machines that are not Debian.
#
#   docker build -t ambry .
#   docker run --rm -it --init -p 8080:8000 ambry           npm start, at http://localhost:8080/
#   docker run --rm --init --shm-size=1g ambry npm test     Chromium needs the shared memory
#
# Tests with real models: add `-v FOLDER:/data:ro -e AMBRY_DATA=/data`.
FROM node:22-bookworm
RUN apt-get update && apt-get install -y --no-install-recommends socat
WORKDIR /ambry
COPY . .
# Installs the tools of both commands and builds the site, so that a container starts at once.
RUN npm run build && bash wasm/toolchain/setup.sh test
EXPOSE 8000
# The site is served to the container itself only. Port 8000 passes connections on to it.
CMD ["bash", "-c", "socat TCP-LISTEN:8000,fork,reuseaddr TCP:127.0.0.1:8080 & exec npm start"]
