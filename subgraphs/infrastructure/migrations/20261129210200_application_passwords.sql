-- The applications answered to the first who came: Grafana with its default password, Nextcloud and Gitea with an open installer,
-- WireGuard with a page over HTTP. Each gets a random password, in a file of the user `cloud`; the page of WireGuard answers on the
-- machine only. Changes the scripts of new machines; what an administrator wrote instead stays.

UPDATE infrastructure.vm_application a
   SET user_data = replace(start.text, 'docker.io', t.packages) || t.after,
       description = a.description || CASE WHEN a.description = t.description THEN t.hint ELSE '' END,
       probe_port = CASE WHEN a.probe_port <> 51821 THEN a.probe_port END,
       probe_path = CASE WHEN a.probe_port <> 51821 THEN a.probe_path END
  FROM (VALUES ($$#!/bin/sh
set -eu
export DEBIAN_FRONTEND=noninteractive
apt-get update
apt-get install -y --no-install-recommends docker.io
$$)) AS start (text),
  (VALUES
    ('nextcloud', 'docker.io openssl', 'Nextcloud: files, calendars and contacts of your own.',
     ' Sign in as cloud; the password is in /home/cloud/nextcloud-password.',
$$docker run -d --name nextcloud --restart unless-stopped -v nextcloud:/var/www/html -p 80:80 nextcloud:stable
$$,
$$password=$(openssl rand -hex 16)
install -m 600 -o cloud -g cloud /dev/null /home/cloud/nextcloud-password
echo "$password" > /home/cloud/nextcloud-password
docker run -d --name nextcloud --restart unless-stopped -v nextcloud:/var/www/html -p 80:80 \
  -e SQLITE_DATABASE=nextcloud -e NEXTCLOUD_ADMIN_USER=cloud -e NEXTCLOUD_ADMIN_PASSWORD="$password" \
  -e NEXTCLOUD_TRUSTED_DOMAINS='*' nextcloud:stable
$$),
    ('gitea', 'docker.io openssl', 'Gitea: Git repositories, issues and packages of your own.',
     ' Sign in as cloud; the password is in /home/cloud/gitea-password.',
$$docker run -d --name gitea --restart unless-stopped -v gitea:/data -p 3000:3000 -p 2222:22 gitea/gitea:1
$$,
$$password=$(openssl rand -hex 16)
install -m 600 -o cloud -g cloud /dev/null /home/cloud/gitea-password
echo "$password" > /home/cloud/gitea-password
docker run -d --name gitea --restart unless-stopped -v gitea:/data -p 3000:3000 -p 2222:22 \
  -e GITEA__database__DB_TYPE=sqlite3 -e GITEA__security__INSTALL_LOCK=true -e GITEA__security__SECRET_KEY="$(openssl rand -hex 32)" \
  -e GITEA__service__DISABLE_REGISTRATION=true gitea/gitea:1
for pause in 5 5 10 20 40 80 160; do
  sleep "$pause"
  docker exec -u git gitea gitea admin user create --admin --username cloud --email cloud@gitea.local \
    --password "$password" --must-change-password=false && exit
done
exit 1
$$),
    ('wireguard', 'docker.io', 'WireGuard: a VPN server with a page to add devices.',
     ' Reach the page by ssh -L 51821:127.0.0.1:51821 at http://localhost:51821.',
$$docker run -d --name wg-easy --restart unless-stopped --cap-add NET_ADMIN --cap-add SYS_MODULE -v wireguard:/etc/wireguard \
  -v /lib/modules:/lib/modules:ro --sysctl net.ipv4.ip_forward=1 --sysctl net.ipv4.conf.all.src_valid_mark=1 -e PORT=51821 -e INSECURE=true \
  -p 51820:51820/udp -p 51821:51821/tcp ghcr.io/wg-easy/wg-easy:15
$$,
$$docker run -d --name wg-easy --restart unless-stopped --cap-add NET_ADMIN --cap-add SYS_MODULE -v wireguard:/etc/wireguard \
  -v /lib/modules:/lib/modules:ro --sysctl net.ipv4.ip_forward=1 --sysctl net.ipv4.conf.all.src_valid_mark=1 -e PORT=51821 -e INSECURE=true \
  -p 51820:51820/udp -p 127.0.0.1:51821:51821/tcp ghcr.io/wg-easy/wg-easy:15
$$),
    ('grafana', 'docker.io openssl', 'Grafana with Prometheus: dashboards and alerts.',
     ' Sign in as admin; the password is in /home/cloud/grafana-password.',
$$docker network create monitoring
docker run -d --name prometheus --network monitoring --restart unless-stopped -v prometheus:/prometheus prom/prometheus:v3.5.0
docker run -d --name grafana --network monitoring --restart unless-stopped -v grafana:/var/lib/grafana -p 3000:3000 grafana/grafana-oss:12.0.0
$$,
$$password=$(openssl rand -hex 16)
install -m 600 -o cloud -g cloud /dev/null /home/cloud/grafana-password
echo "$password" > /home/cloud/grafana-password
docker network create monitoring
docker run -d --name prometheus --network monitoring --restart unless-stopped -v prometheus:/prometheus prom/prometheus:v3.5.0
docker run -d --name grafana --network monitoring --restart unless-stopped -v grafana:/var/lib/grafana -p 3000:3000 \
  -e GF_SECURITY_ADMIN_PASSWORD="$password" grafana/grafana-oss:12.0.0
$$)
  ) AS t (slug, packages, description, hint, before, after)
 WHERE a.slug = t.slug AND a.user_data = start.text || t.before;
