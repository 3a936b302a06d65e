-- Logos that the platform serves itself, drawn for it; the address of the platform is put before the path. A handful of rows.
UPDATE infrastructure.vm_application SET logo_url = '/logos/' || slug || '.svg'
 WHERE logo_url IS NULL AND slug IN ('docker', 'wordpress', 'nextcloud', 'gitea', 'postgresql', 'wireguard', 'grafana');
