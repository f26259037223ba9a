#!/usr/bin/env bash
# Installs a software device for `cargo xtask gpu-test`: the Vulkan loader, lavapipe (Mesa's software
# device) and the validation layer. Debian and Ubuntu, as root; a second run changes nothing. With
# --swiftshader also SwiftShader, which Debian has in chromium-common.
#
# Debian 12's own Mesa (22.3) lacks descriptor indexing, so lavapipe comes from the backports if they
# have it.
set -euo pipefail

swiftshader=
for argument in "$@"; do
    case "$argument" in
        --swiftshader) swiftshader=yes ;;
        *) echo "usage: $0 [--swiftshader]" >&2; exit 2 ;;
    esac
done

if [ "$(id -u)" != 0 ]; then
    echo "install-vulkan: skipped: not root, so no packages can be installed"
    exit 0
fi
if ! command -v apt-get >/dev/null; then
    echo "install-vulkan: skipped: neither Debian nor Ubuntu (no apt-get)"
    exit 0
fi

export DEBIAN_FRONTEND=noninteractive
present() { dpkg-query -W -f '${Status}' "$1" 2>/dev/null | grep 'ok installed' >/dev/null; }

# The major version of an installed Mesa, 0 if there is none.
mesa() { present mesa-vulkan-drivers && dpkg-query -W -f '${Version}' mesa-vulkan-drivers | sed 's/^[0-9]*://; s/\..*//' || echo 0; }

# Adds the backports to the sources of apt, from the same mirror.
add_backports() {
    . /etc/os-release
    [ "${ID:-}" = debian ] || return 0
    [[ "$(apt-cache policy 2>/dev/null)" == *"n=${VERSION_CODENAME}-backports"* ]] && return 0
    local list=/etc/apt/sources.list.d/trellis-backports.sources
    if [ -f /etc/apt/sources.list.d/debian.sources ]; then
        awk 'BEGIN { RS = ""; ORS = "\n\n" } /Suites:[^\n]*-updates/' /etc/apt/sources.list.d/debian.sources \
            | sed -E "s/^Suites:.*/Suites: ${VERSION_CODENAME}-backports/" > "$list"
    else
        printf 'Types: deb\nURIs: http://deb.debian.org/debian\nSuites: %s-backports\nComponents: main\nSigned-By: /usr/share/keyrings/debian-archive-keyring.gpg\n' \
            "$VERSION_CODENAME" > "$list"
    fi
}

install_lavapipe() {
    add_backports
    apt-get update -qq
    . /etc/os-release
    local release=()
    # Compared as text: a `grep -q` that ends early would fail the pipe.
    if [[ "$(apt-cache policy mesa-vulkan-drivers)" == *"${VERSION_CODENAME}-backports"* ]]; then
        release=(-t "${VERSION_CODENAME}-backports")
    fi
    apt-get install -y -qq --no-install-recommends "${release[@]}" mesa-vulkan-drivers libvulkan1 vulkan-validationlayers
}

if [ "$(mesa)" -lt 23 ] || ! present vulkan-validationlayers; then
    install_lavapipe
fi
echo "install-vulkan: lavapipe of Mesa $(dpkg-query -W -f '${Version}' mesa-vulkan-drivers)"

# Only two files of the package are needed, not a browser: it is unpacked, not installed.
if [ -n "$swiftshader" ]; then
    target=/usr/local/lib/swiftshader
    if [ ! -f "$target/libvk_swiftshader.so" ]; then
        work=$(mktemp -d)
        trap 'rm -rf "$work"' EXIT
        chmod 755 "$work"
        apt-get update -qq
        (cd "$work" && apt-get download -qq chromium-common && dpkg-deb -x chromium-common_*.deb unpacked)
        mkdir -p "$target" /usr/local/share/vulkan/icd.d
        cp "$work/unpacked/usr/lib/chromium/libvk_swiftshader.so" "$target/"
        sed -E "s|\"library_path\": *\"[^\"]*\"|\"library_path\": \"$target/libvk_swiftshader.so\"|" \
            "$work/unpacked/usr/lib/chromium/vk_swiftshader_icd.json" > /usr/local/share/vulkan/icd.d/vk_swiftshader_icd.json
    fi
    echo "install-vulkan: SwiftShader in $target"
fi
