#!/bin/sh
# sh deploy/secrets.sh [FOLDER]: makes the secrets of docker-compose.yml that are not there yet; those that are stay as they are.
set -eu

folder=${1:-$(dirname "$0")/secrets}
mkdir -p "$folder"
# Only the owner enters the folder. The files themselves are read by the users of the containers they are mounted into.
chmod 0700 "$folder"
umask 022

random() {
  head -c "$1" /dev/urandom | od -An -v -tx1 | tr -d ' \n'
}

# keep NAME: writes standard input to the file, whole or not at all, unless there is one.
keep() {
  [ -e "$folder/$1" ] && return 0
  cat >"$folder/.$1.new"
  mv "$folder/.$1.new" "$folder/$1"
}

random 32 | keep postgres_password
printf 'postgres://archipelago:%s@postgres:5432/archipelago' "$(cat "$folder/postgres_password")" | keep database_url
random 32 | keep subgraph_secret
random 32 | keep metrics_token
random 32 | keep admin_token
head -c 32 /dev/urandom | base64 | tr -d '\n' | keep data_key
# Once as the store reads its keys, once as clients of S3 do.
printf 'ROOT_ACCESS_KEY_ID=archipelago\nROOT_SECRET_ACCESS_KEY=%s\n' "$(random 32)" | keep store_keys
secret=$(sed -n 's/^ROOT_SECRET_ACCESS_KEY=//p' "$folder/store_keys")
printf '[default]\naws_access_key_id = archipelago\naws_secret_access_key = %s\n' "$secret" | keep store_credentials
