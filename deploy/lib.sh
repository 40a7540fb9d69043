# Shared by the scripts beside it; sourced, not run.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

say() { printf '%s\n' "$*"; }

complain() { printf '%s: %s\n' "${0##*/}" "$*" >&2; }

fail() {
    complain "$*"
    exit 1
}

need_swift() {
    command -v swift >/dev/null || fail "Swift is not installed, or not on PATH; see https://www.swift.org/install/linux"
}

is_installed() {
    [[ $(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null) == installed ]]
}

# Installs the Debian packages that are missing. Services that come with them are neither started nor enabled; services
# that were there before are left alone.
need_packages() {
    command -v dpkg-query >/dev/null || fail "this is no Debian; install what corresponds to: $*"
    local package missing=()
    for package in "$@"; do
        is_installed "$package" || missing+=("$package")
    done
    ((${#missing[@]})) || return 0

    local as_root=()
    if [[ $(id -u) -ne 0 ]]; then
        command -v sudo >/dev/null || fail "packages are missing; as root, run: apt-get install ${missing[*]}"
        as_root=(sudo)
    fi
    say "installing ${missing[*]}"
    "${as_root[@]}" apt-get update -qq
    (
        # A policy that answers 101 keeps package scripts from starting services.
        policy=/usr/sbin/policy-rc.d
        if [[ ! -e $policy ]]; then
            trap '"${as_root[@]}" rm -f "$policy"' EXIT
            printf '#!/bin/sh\nexit 101\n' | "${as_root[@]}" tee "$policy" >/dev/null
            "${as_root[@]}" chmod 755 "$policy"
        fi
        "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
            apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
    ) || fail "apt-get could not install ${missing[*]}"
    if [[ -d /run/systemd/system ]]; then
        for package in "${missing[@]}"; do
            case $package in
            mosquitto) "${as_root[@]}" systemctl disable --quiet mosquitto.service || true ;;
            gpsd) "${as_root[@]}" systemctl disable --quiet gpsd.service gpsd.socket || true ;;
            esac
        done
        say "their system services are installed, but neither started nor enabled"
    fi
}

is_running() { kill -0 "$1" 2>/dev/null; }

# Whether something listens on a port of the loopback interface.
is_listening() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

# wait_until SECONDS COMMAND…: whether the command succeeds within the time.
wait_until() {
    local deadline=$((SECONDS + $1))
    shift
    until "$@"; do
        ((SECONDS < deadline)) || return 1
        sleep 0.1
    done
}

# stop PID [SECONDS]: asks a child to end, insists after the time, and reaps it.
stop() {
    [[ -n $1 ]] || return 0
    kill -TERM "$1" 2>/dev/null || true
    local turn
    for ((turn = 0; turn < ${2:-6} * 10; turn++)); do
        is_running "$1" || break
        sleep 0.1
    done
    kill -KILL "$1" 2>/dev/null || true
    wait "$1" 2>/dev/null || true
}

# start_broker DIRECTORY: a private broker without passwords, on a free port of the loopback interface that it leaves in
# `broker_port`, its process in `broker`.
start_broker() {
    local directory=$1 attempt
    local program
    program=$(PATH=$PATH:/usr/sbin:/sbin command -v mosquitto) || fail "mosquitto is not installed"
    for attempt in 1 2 3 4 5 6 7 8 9 10; do
        broker_port=$((20000 + RANDOM % 20000))
        is_listening "$broker_port" && continue
        {
            say "listener $broker_port 127.0.0.1"
            say "allow_anonymous true"
            # Started by root it would become a user who cannot read this directory.
            if [[ $(id -u) -eq 0 ]]; then say "user root"; fi
        } >"$directory/mosquitto.conf"
        # In a session of its own: Ctrl-C ends the script, which ends the others in the right order.
        setsid "$program" -c "$directory/mosquitto.conf" >"$directory/mosquitto.log" 2>&1 &
        broker=$!
        if wait_until 5 broker_is_up && is_running "$broker"; then return 0; fi
        stop "$broker"
        broker=
    done
    cat "$directory/mosquitto.log" >&2
    fail "mosquitto does not start (tried $attempt times)"
}

broker_is_up() { is_listening "$broker_port" || ! is_running "$broker"; }
