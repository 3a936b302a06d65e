-- The catalogue: flavors, images, applications and their first rows. Creates tables only: instant on any database.

CREATE TABLE infrastructure.vm_flavor (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL,
  display_name text NOT NULL,
  cpu_cores integer NOT NULL CHECK (cpu_cores > 0),
  memory_mb integer NOT NULL CHECK (memory_mb > 0),
  data_disk_gb integer NOT NULL CHECK (data_disk_gb > 0),
  credits_per_hour numeric(38,18) NOT NULL CHECK (credits_per_hour > 0 AND credits_per_hour <= 10000),
  description text,
  retired_at timestamptz,
  CONSTRAINT vm_flavor_name UNIQUE (name)
);

CREATE TABLE infrastructure.vm_image (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL,
  slug text NOT NULL,
  description text NOT NULL,
  retired_at timestamptz,
  CONSTRAINT vm_image_name UNIQUE (name),
  CONSTRAINT vm_image_slug UNIQUE (slug)
);

CREATE TABLE infrastructure.vm_application (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL,
  slug text NOT NULL,
  description text NOT NULL,
  logo_url text,
  retired_at timestamptz,
  CONSTRAINT vm_application_name UNIQUE (name),
  CONSTRAINT vm_application_slug UNIQUE (slug)
);

INSERT INTO infrastructure.vm_flavor
  (name, display_name, cpu_cores, memory_mb, data_disk_gb, credits_per_hour, description)
VALUES
  ('spark', 'Spark', 1, 1024, 20, 0.008, 'A first machine: a small website, a bot, a try-out.'),
  ('pulse', 'Pulse', 1, 2048, 40, 0.016, 'Small services that are always on.'),
  ('cipher', 'Cipher', 2, 4096, 80, 0.032, 'A web application with its database.'),
  ('vault', 'Vault', 2, 8192, 160, 0.06, 'Databases and caches that want memory.'),
  ('fortress', 'Fortress', 4, 16384, 320, 0.12, 'Busy applications and build machines.'),
  ('titan', 'Titan', 8, 32768, 640, 0.24, 'Analytics and many containers.'),
  ('sovereign', 'Sovereign', 16, 65536, 1280, 0.48, 'The largest: heavy databases and simulations.');

INSERT INTO infrastructure.vm_image (name, slug, description) VALUES
  ('Ubuntu 24.04 LTS', 'ubuntu-24-04', 'Ubuntu Server 24.04 LTS (Noble Numbat) with cloud-init.'),
  ('Ubuntu 22.04 LTS', 'ubuntu-22-04', 'Ubuntu Server 22.04 LTS (Jammy Jellyfish) with cloud-init.'),
  ('Debian 13', 'debian-13', 'Debian 13 (Trixie) with cloud-init.'),
  ('Debian 12', 'debian-12', 'Debian 12 (Bookworm) with cloud-init.'),
  ('Fedora 42 Cloud', 'fedora-42', 'Fedora Cloud 42 with cloud-init.'),
  ('Rocky Linux 9', 'rocky-linux-9', 'Rocky Linux 9, compatible with Red Hat Enterprise Linux 9, with cloud-init.'),
  ('Alpine Linux 3.22', 'alpine-linux-3-22', 'Alpine Linux 3.22: small, on musl, with cloud-init.');

-- No logos: a URL of somebody else's would tell them who looks at the list.
INSERT INTO infrastructure.vm_application (name, slug, description) VALUES
  ('Docker', 'docker', 'Docker Engine with Compose, ready to run containers.'),
  ('WordPress', 'wordpress', 'WordPress for websites and blogs, with MariaDB and HTTPS.'),
  ('Nextcloud', 'nextcloud', 'Nextcloud: files, calendars and contacts of your own.'),
  ('Gitea', 'gitea', 'Gitea: Git repositories, issues and packages of your own.'),
  ('PostgreSQL', 'postgresql', 'PostgreSQL with nightly backups to the local disk.'),
  ('WireGuard', 'wireguard', 'WireGuard: a VPN server with a page to add devices.'),
  ('Grafana', 'grafana', 'Grafana with Prometheus: dashboards and alerts.');
