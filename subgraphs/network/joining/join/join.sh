#!/bin/sh
# Joins this machine to a private network of Archipelago and runs its agent.
#
#   join.sh [--foreground] [SETUP_KEY]
#
# Requires root, curl, sed, nebula and nebula-cert; nft and getent only if the configuration needs them. Installs nothing
# outside ARCHIPELAGO_DIR (default /etc/archipelago) and one systemd unit. The directory contains the private key, which
# never leaves the machine, the peer token, the configuration and logs. Without a setup key, a machine that joined before
# continues.
set -u
umask 077

PLATFORM=@PLATFORM@
DIR=${ARCHIPELAGO_DIR:-/etc/archipelago}
TABLE=archipelago
# Long-poll time of the platform, and time-out of a request, in seconds.
WAIT=20
REQUEST_TIMEOUT=40
# Maximum size of a log in bytes; a larger log is truncated.
MAX_LOG_BYTES=1048576
# Seconds between two lookups of names, and number of lookups after which an unchanged result is reported again.
LOOKUP_INTERVAL=20
REPORT_EVERY=30
# Maximum number of reported addresses per name.
MAX_ADDRESSES=16

say() {
  printf '%s archipelago: %s\n' "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$*" >&2
}

fail() {
  say "$*"
  exit 1
}

main() {
  foreground=
  setup_key=
  as=
  for word in "$@"; do
    case $word in
      --foreground) foreground=yes ;;
      arp_join_*[!A-Za-z0-9_-]*) fail "invalid setup key" ;;
      arp_join_*) setup_key=$word ;;
      *) fail "usage: join.sh [--foreground] [SETUP_KEY]" ;;
    esac
  done
  [ "$(id -u)" = 0 ] || fail "run this as root: it creates a tunnel interface"
  check_tools
  mkdir -p "$DIR" || exit 1
  chmod 700 "$DIR"
  if is_running; then
    say "this machine has joined and is running (process $(cat "$DIR/agent.pid"))"
    exit 0
  fi
  if [ -n "$setup_key" ] && [ -s "$DIR/token" ]; then check_token; fi
  make_key
  [ -s "$DIR/token" ] || join
  if [ -n "$foreground" ]; then run; else start_in_background; fi
}

check_tools() {
  missing=
  for tool in curl sed nebula nebula-cert; do
    command -v "$tool" >/dev/null 2>&1 || missing="$missing $tool"
  done
  [ -z "$missing" ] || fail "missing:$missing (on Debian: apt-get install curl nebula)"
}

# After a power cut, another process can have the number of the agent.
is_running() {
  pid=$(cat "$DIR/agent.pid" 2>/dev/null) && [ -n "$pid" ] && [ "$pid" != $$ ] || return 1
  case $(tr '\0' ' ' 2>/dev/null <"/proc/$pid/cmdline") in
    *"sh "*--foreground*) return 0 ;;
  esac
  return 1
}

# Forgets a peer that was deleted while the agent was down, so that the setup key is used. One refusal may be a fault.
check_token() {
  request /api/network/configuration/ -H "@$DIR/token"
  [ "$status" = 401 ] || return 0
  pause=1
  rest
  request /api/network/configuration/ -H "@$DIR/token"
  [ "$status" != 401 ] || forget
}

make_key() {
  [ -s "$DIR/host.key" ] && return
  rm -f "$DIR/host.key.new" "$DIR/host.pub"
  nebula-cert keygen -out-key "$DIR/host.key.new" -out-pub "$DIR/host.pub" || exit 1
  chmod 600 "$DIR/host.key.new"
  mv "$DIR/host.key.new" "$DIR/host.key"
}

# Sends a request to the platform. Sets $status (000: unreachable) and writes the body to the file answer and the headers
# to the file head; $as is a prefix of the file names, so that a parallel process has its own files. Runs curl in the
# background and waits, so that signals are handled at once.
request() {
  path=$1
  shift
  rm -f "$DIR/${as}answer" "$DIR/${as}head" "$DIR/${as}status"
  curl -sS --max-time "$REQUEST_TIMEOUT" -o "$DIR/${as}answer" -D "$DIR/${as}head" -w '%{http_code}' "$@" \
    "$PLATFORM$path" >"$DIR/${as}status" 2>"$DIR/${as}fault" &
  child_pid=$!
  wait "$child_pid"
  child_pid=
  status=$(cat "$DIR/${as}status" 2>/dev/null)
  status=${status:-000}
}

# Prints the platform's error message, or the error of curl.
refusal() {
  words=$(sed -n 's/.*"error": *"\([^"]*\)".*/\1/p' "$DIR/${as}answer" 2>/dev/null)
  printf '%s' "${words:-$(cat "$DIR/${as}fault" 2>/dev/null)}"
}

# Exchanges the setup key and the public key for a peer token; retries if the response is lost.
join() {
  [ -n "$setup_key" ] || fail "this machine has not joined yet: give a setup key"
  public_key=$(sed -n '/^-/!p' "$DIR/host.pub" | tr -d '\r\n')
  printf '{"setup_key":"%s","public_key":"%s"}' "$setup_key" "$public_key" >"$DIR/joining"
  pause=1
  while :; do
    request /api/network/join/ -H 'Content-Type: application/json' --data-binary "@$DIR/joining"
    case $status in
      201) break ;;
      000 | 408 | 429 | 5??)
        say "the platform does not answer ($status $(refusal)); retrying in $pause s"
        rest
        ;;
      *)
        rm -f "$DIR/joining"
        fail "the platform refused ($status): $(refusal)"
        ;;
    esac
  done
  rm -f "$DIR/joining"
  token=$(sed -n 's/.*"token": *"\([A-Za-z0-9_-]*\)".*/\1/p' "$DIR/answer")
  ip=$(sed -n 's/.*"ip": *"\([0-9.]*\)".*/\1/p' "$DIR/answer")
  [ -n "$token" ] || fail "the response of the platform contains no token"
  printf 'Peer-Token: %s\n' "$token" >"$DIR/token.new"
  rm -f "$DIR/answer" "$DIR/applied" "$DIR/etag"
  mv "$DIR/token.new" "$DIR/token"
  say "joined as $ip"
}

# Sleeps with exponential backoff, up to 30 seconds.
rest() {
  sleep "$pause" &
  child_pid=$!
  wait "$child_pid"
  child_pid=
  pause=$((pause * 2))
  [ "$pause" -le 30 ] || pause=30
}

# Stores the script, because it may have come through a pipe, and runs it without the terminal.
start_in_background() {
  curl -fsS --max-time "$REQUEST_TIMEOUT" -o "$DIR/join.sh.new" "$PLATFORM/network/join.sh" || fail "the join script cannot be downloaded"
  mv "$DIR/join.sh.new" "$DIR/join.sh"
  # Only the new agent says that the network is up.
  rm -f "$DIR/applied"
  if [ -d /run/systemd/system ] && [ "$DIR" = /etc/archipelago ]; then
    print_unit >/etc/systemd/system/archipelago.service
    systemctl daemon-reload && systemctl enable --now archipelago.service || exit 1
  else
    ARCHIPELAGO_DIR=$DIR nohup sh "$DIR/join.sh" --foreground </dev/null >>"$DIR/agent.log" 2>&1 &
  fi
  seconds=0
  while [ ! -s "$DIR/applied" ] && [ "$seconds" -lt 30 ]; do
    sleep 1
    seconds=$((seconds + 1))
  done
  [ -s "$DIR/applied" ] || fail "no configuration is in force yet; see $DIR/agent.log and $DIR/nebula.log"
  say "the network is up"
}

# Without a token, there is nothing to run: the machine has left the network.
print_unit() {
  printf '%s\n' '[Unit]' 'Description=Private network of Archipelago' 'Wants=network-online.target' \
    'After=network-online.target' 'ConditionPathExists=/etc/archipelago/token' \
    '[Service]' 'ExecStart=/bin/sh /etc/archipelago/join.sh --foreground' \
    'Restart=on-failure' 'RestartSec=5' '[Install]' 'WantedBy=multi-user.target'
}

# Polls, applies and reports the configuration until a signal arrives or the peer is deleted.
run() {
  echo $$ >"$DIR/agent.pid"
  nebula_pid=
  names_pid=
  child_pid=
  trap stop TERM INT
  trap '' HUP
  pause=1
  unknown=0
  stop_stray
  # The previous configuration stays in force until the platform sends another one, even if it is unreachable.
  [ -s "$DIR/config.yml" ] && apply_kept
  while :; do
    keep_alive
    began=$(date +%s)
    have=$(cat "$DIR/etag" 2>/dev/null)
    request "/api/network/configuration/?wait=$WAIT" -H "@$DIR/token" -H "If-None-Match: \"$have\""
    case $status in
      200)
        unknown=0
        take
        ;;
      304)
        pause=1 unknown=0
        [ "$have" = "$(cat "$DIR/reported" 2>/dev/null)" ] || report
        [ $(($(date +%s) - began)) -gt 1 ] || rest
        pause=1
        ;;
      401)
        unknown=$((unknown + 1))
        [ "$unknown" -lt 2 ] || leave
        pause=1
        rest
        ;;
      *)
        # The tunnels stay up.
        say "the platform does not answer ($status $(refusal)); retrying in $pause s"
        rest
        ;;
    esac
    shorten "$DIR/nebula.log"
    shorten "$DIR/agent.log"
  done
}

# Validates the new configuration before it replaces the old one.
take() {
  etag=$(sed -n 's/^[Ee][Tt][Aa][Gg]: *"\([0-9a-f]*\)".*/\1/p' "$DIR/head")
  # A changed key makes Nebula rebuild its firewall on reload, which depends on the subnets of the certificate.
  sed -e "s|/etc/archipelago/host.key|$DIR/host.key|" -e "/^firewall:/a\\
  configuration: \"$etag\"" "$DIR/answer" >"$DIR/config.yml.new"
  if [ -z "$etag" ] || ! nebula -test -config "$DIR/config.yml.new" >>"$DIR/nebula.log" 2>&1; then
    say "nebula refuses the configuration; the previous one stays in force"
    pause=10
    rest
    return
  fi
  # One that was never applied does not tell what Nebula runs.
  [ ! -s "$DIR/applied" ] || cp "$DIR/config.yml" "$DIR/config.yml.old" 2>/dev/null
  mv "$DIR/config.yml.new" "$DIR/config.yml"
  if apply; then
    printf '%s' "$etag" >"$DIR/etag"
    printf '%s' "$etag" >"$DIR/applied"
    pause=1
    report
    start_names
  else
    rm -f "$DIR/etag" "$DIR/applied"
    say "the configuration could not be applied; retrying in $pause s"
    rest
  fi
}

apply_kept() {
  rm -f "$DIR/config.yml.old" "$DIR/reported"
  if apply; then
    [ ! -s "$DIR/etag" ] || cp "$DIR/etag" "$DIR/applied"
    start_names
  else
    rm -f "$DIR/etag" "$DIR/applied"
  fi
}

apply() {
  filter && run_nebula
}

# Applies the packet filter, which is in comments of the configuration; without one, the filter is removed.
filter() {
  sed -n 's/^#nft \{0,1\}//p' "$DIR/config.yml" >"$DIR/filter.nft"
  if [ -s "$DIR/filter.nft" ]; then
    if ! command -v nft >/dev/null 2>&1; then
      say "missing: nft, required by the configuration (on Debian: apt-get install nftables)"
      return 1
    fi
    nft -f "$DIR/filter.nft" 2>>"$DIR/agent.log" || return 1
    if grep -q 'hook forward' "$DIR/filter.nft"; then echo 1 >/proc/sys/net/ipv4/ip_forward || return 1; fi
  else
    remove_filter
  fi
}

remove_filter() {
  ! command -v nft >/dev/null 2>&1 || nft delete table ip "$TABLE" 2>/dev/null || :
}

# Nebula reloads its configuration on SIGHUP and keeps its tunnels. Routes and the device are read only at start.
run_nebula() {
  if ! is_alive; then
    start_nebula
  elif [ "$(device "$DIR/config.yml.old")" != "$(device "$DIR/config.yml")" ]; then
    stop_nebula
    start_nebula
  else
    from=$(($(wc -c <"$DIR/nebula.log") + 1))
    kill -HUP "$nebula_pid" && says 'New firewall has been installed'
  fi
}

device() {
  sed -n 's/^#restart //p' "$1" 2>/dev/null
}

start_nebula() {
  touch "$DIR/nebula.log"
  from=$(($(wc -c <"$DIR/nebula.log") + 1))
  nebula -config "$DIR/config.yml" >>"$DIR/nebula.log" 2>&1 &
  nebula_pid=$!
  echo "$nebula_pid" >"$DIR/nebula.pid"
  says 'Nebula interface is active'
}

# Waits until the text appears in Nebula's log after position $from, at most ten seconds.
says() {
  tries=0
  while [ "$tries" -lt 100 ]; do
    if tail -c "+$from" "$DIR/nebula.log" | grep -q "$1"; then return 0; fi
    is_alive || return 1
    sleep 0.1 2>/dev/null || sleep 1
    tries=$((tries + 1))
  done
  return 1
}

is_alive() {
  [ -n "$nebula_pid" ] && kill -0 "$nebula_pid" 2>/dev/null
}

keep_alive() {
  [ -s "$DIR/config.yml" ] || return 0
  is_alive || { say "nebula has ended; restarting it" && apply; }
}

# Stops a Nebula process left by a killed agent.
stop_stray() {
  stray=$(cat "$DIR/nebula.pid" 2>/dev/null)
  [ -n "$stray" ] || return 0
  case $(tr '\0' ' ' 2>/dev/null <"/proc/$stray/cmdline") in
    *nebula*"$DIR/config.yml"*) nebula_pid=$stray && stop_nebula ;;
  esac
}

stop_nebula() {
  [ -n "$nebula_pid" ] || return 0
  kill "$nebula_pid" 2>/dev/null
  tries=0
  while kill -0 "$nebula_pid" 2>/dev/null && [ "$tries" -lt 50 ]; do
    sleep 0.1 2>/dev/null || sleep 1
    tries=$((tries + 1))
  done
  kill -9 "$nebula_pid" 2>/dev/null
  wait "$nebula_pid" 2>/dev/null
  nebula_pid=
  rm -f "$DIR/nebula.pid"
}

report() {
  printf '{"applied":"%s"}' "$(cat "$DIR/applied")" >"$DIR/report"
  request /api/network/report/ -H "@$DIR/token" -H 'Content-Type: application/json' --data-binary "@$DIR/report"
  if [ "$status" = 200 ]; then cp "$DIR/applied" "$DIR/reported"; fi
}

# Resolves the names in the configuration, because only the router can reach the DNS behind it. Runs in the background,
# because DNS may be slow.
start_names() {
  stop_names
  sed -n 's/^#resolve //p' "$DIR/config.yml" >"$DIR/names"
  [ -s "$DIR/names" ] || return 0
  if command -v getent >/dev/null 2>&1; then
    watch_names &
    names_pid=$!
  else
    say "missing: getent, required to route to the names behind this machine"
  fi
}

stop_names() {
  [ -z "$names_pid" ] || kill "$names_pid" 2>/dev/null
  names_pid=
}

# Reports resolved addresses after a change and at regular intervals. Ends with the agent.
watch_names() {
  as=names-
  last_reported=
  lookups=0
  complaint=
  read_except
  while kill -0 $$ 2>/dev/null; do
    found=$(found_names)
    if [ "$found" != "$last_reported" ] || [ "$lookups" -ge "$REPORT_EVERY" ]; then
      if report_names; then last_reported=$found lookups=0; fi
    fi
    lookups=$((lookups + 1))
    sleep "$LOOKUP_INTERVAL"
  done
}

report_names() {
  [ -s "$DIR/applied" ] || return 1
  printf '{"applied":"%s","names":[%s]}' "$(cat "$DIR/applied")" "$found" >"$DIR/names-report"
  request /api/network/report/ -H "@$DIR/token" -H 'Content-Type: application/json' --data-binary "@$DIR/names-report"
  [ "$status" != 200 ] || return 0
  [ "$status" = "$complaint" ] || say "the platform did not accept the resolved addresses ($status $(refusal)); retrying"
  complaint=$status
  return 1
}

# Prints all names with their addresses as JSON, in a deterministic order.
found_names() {
  comma=
  while read -r name; do
    list=
    count=0
    for address in $(getent ahostsv4 "$name" 2>/dev/null </dev/null | sed -n 's/^\([0-9.]*\)[[:space:]].*/\1/p' | sort -u); do
      is_routable "$address" || continue
      [ "$count" -lt "$MAX_ADDRESSES" ] || break
      list=$list${list:+,}\"$address\"
      count=$((count + 1))
    done
    printf '%s{"name":"%s","addresses":[%s]}' "$comma" "$name" "$list"
    comma=,
  done <"$DIR/names"
}

# Excludes loopback, link-local, multicast, reserved and overlay addresses.
is_routable() {
  case $1 in
    0.* | 127.* | 169.254.* | 22[4-9].* | 23?.* | 24?.* | 25?.*) return 1 ;;
  esac
  [ $(($(number_of "$1") & except_mask)) != "$except" ]
}

read_except() {
  cidr=$(sed -n 's/^#resolve-except //p' "$DIR/config.yml")
  except_mask=$(((4294967295 << (32 - ${cidr#*/})) & 4294967295))
  except=$(($(number_of "${cidr%/*}") & except_mask))
}

number_of() {
  printf '%s\n' "$1" | {
    IFS=. read -r one two three four
    echo $(((one << 24) + (two << 16) + (three << 8) + four))
  }
}

shorten() {
  [ ! -f "$1" ] || [ "$(wc -c <"$1")" -le "$MAX_LOG_BYTES" ] || : >"$1"
}

leave() {
  say "the platform no longer knows this machine; leaving the network"
  forget
  stop
}

# The peer was deleted: removes the token, the configuration and the key.
forget() {
  rm -f "$DIR/token" "$DIR/config.yml" "$DIR/config.yml.old" "$DIR/etag" "$DIR/applied" "$DIR/reported" "$DIR/host.key"
}

stop() {
  trap '' TERM INT
  [ -z "$child_pid" ] || kill "$child_pid" 2>/dev/null
  stop_names
  stop_nebula
  remove_filter
  rm -f "$DIR/agent.pid"
  exit 0
}

main "$@"
