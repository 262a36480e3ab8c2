#!/bin/sh
# Gets the programs that `npm run test:system` needs and npm does not install. For root on Debian and Ubuntu.
set -eu
cd "$(dirname "$0")/.."
export DEBIAN_FRONTEND=noninteractive

has() { command -v "$1" > /dev/null; }
has_chromium() { has chromium-headless-shell || has chromium || has chromium-browser || has google-chrome || has google-chrome-stable || [ -n "${CHROMIUM_PATH-}" ]; }
has_prometheus() { { has prometheus && has promtool; } || [ -x build/prometheus/usr/bin/promtool ]; }

if has_chromium && has_prometheus; then exit; fi
apt-get update
has_chromium || apt-get install -y --no-install-recommends chromium-headless-shell ||
  apt-get install -y --no-install-recommends chromium
if ! has_prometheus; then
  # Unpacked instead of installed, because installing it starts a server.
  mkdir -p build/prometheus
  (cd build/prometheus && apt-get download prometheus && dpkg-deb --extract prometheus_*.deb . && rm prometheus_*.deb)
fi
