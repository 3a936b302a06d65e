-- What an application does at a first boot, how its health is known, and what was seen of it. Adds columns without values: instant.

ALTER TABLE infrastructure.vm_application
  -- A cloud config or a shell script for cloud-init.
  ADD COLUMN user_data text,
  -- Where it answers when it is well: HTTP at a path, or any TCP connection; null: nobody looks.
  ADD COLUMN probe_port integer CHECK (probe_port BETWEEN 1 AND 65535),
  ADD COLUMN probe_path text;

ALTER TABLE infrastructure.vm_instance
  ADD COLUMN application_health text CHECK (application_health IN ('waiting', 'healthy', 'unhealthy'));

UPDATE infrastructure.vm_application a SET user_data = t.user_data, probe_port = t.probe_port, probe_path = t.probe_path
  FROM (VALUES
    ('docker', NULL::integer, NULL, E'#!/bin/sh\nset -eu\nexport DEBIAN_FRONTEND=noninteractive\napt-get update\napt-get install -y --no-install-recommends docker.io docker-compose\n'),
    ('wordpress', 80, '/', E'#!/bin/sh\nset -eu\nexport DEBIAN_FRONTEND=noninteractive\napt-get update\napt-get install -y --no-install-recommends docker.io openssl\npassword=$(openssl rand -hex 24)\ndocker network create wordpress\ndocker run -d --name database --network wordpress --restart unless-stopped -v database:/var/lib/mysql \\\n  -e MARIADB_RANDOM_ROOT_PASSWORD=1 -e MARIADB_DATABASE=wordpress -e MARIADB_USER=wordpress -e MARIADB_PASSWORD="$password" mariadb:11\ndocker run -d --name wordpress --network wordpress --restart unless-stopped -v wordpress:/var/www/html -p 80:80 \\\n  -e WORDPRESS_DB_HOST=database -e WORDPRESS_DB_USER=wordpress -e WORDPRESS_DB_NAME=wordpress -e WORDPRESS_DB_PASSWORD="$password" wordpress:6\n'),
    ('nextcloud', 80, '/status.php', E'#!/bin/sh\nset -eu\nexport DEBIAN_FRONTEND=noninteractive\napt-get update\napt-get install -y --no-install-recommends docker.io\ndocker run -d --name nextcloud --restart unless-stopped -v nextcloud:/var/www/html -p 80:80 nextcloud:stable\n'),
    ('gitea', 3000, '/', E'#!/bin/sh\nset -eu\nexport DEBIAN_FRONTEND=noninteractive\napt-get update\napt-get install -y --no-install-recommends docker.io\ndocker run -d --name gitea --restart unless-stopped -v gitea:/data -p 3000:3000 -p 2222:22 gitea/gitea:1\n'),
    ('postgresql', 5432, NULL, E'#!/bin/sh\nset -eu\nexport DEBIAN_FRONTEND=noninteractive\napt-get update\napt-get install -y --no-install-recommends postgresql\nset -- /etc/postgresql/*/main\nprintf "listen_addresses = ''*''\\n" > "$1/conf.d/address.conf"\nprintf "host all all all scram-sha-256\\n" >> "$1/pg_hba.conf"\nprintf "0 3 * * * postgres pg_dumpall | gzip > /var/lib/postgresql/nightly.sql.gz\\n" > /etc/cron.d/postgresql-nightly\nsystemctl restart postgresql\n'),
    ('wireguard', 51821, '/', E'#!/bin/sh\nset -eu\nexport DEBIAN_FRONTEND=noninteractive\napt-get update\napt-get install -y --no-install-recommends docker.io\ndocker run -d --name wg-easy --restart unless-stopped --cap-add NET_ADMIN --cap-add SYS_MODULE -v wireguard:/etc/wireguard \\\n  -v /lib/modules:/lib/modules:ro --sysctl net.ipv4.ip_forward=1 --sysctl net.ipv4.conf.all.src_valid_mark=1 -e PORT=51821 -e INSECURE=true \\\n  -p 51820:51820/udp -p 51821:51821/tcp ghcr.io/wg-easy/wg-easy:15\n'),
    ('grafana', 3000, '/api/health', E'#!/bin/sh\nset -eu\nexport DEBIAN_FRONTEND=noninteractive\napt-get update\napt-get install -y --no-install-recommends docker.io\ndocker network create monitoring\ndocker run -d --name prometheus --network monitoring --restart unless-stopped -v prometheus:/prometheus prom/prometheus:v3.5.0\ndocker run -d --name grafana --network monitoring --restart unless-stopped -v grafana:/var/lib/grafana -p 3000:3000 grafana/grafana-oss:12.0.0\n')
  ) AS t (slug, probe_port, probe_path, user_data)
 WHERE a.slug = t.slug AND a.user_data IS NULL;

UPDATE infrastructure.vm_application SET description = 'WordPress for websites and blogs, with MariaDB.'
 WHERE slug = 'wordpress' AND description = 'WordPress for websites and blogs, with MariaDB and HTTPS.';
