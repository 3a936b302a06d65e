-- The nightly backup of the shipped PostgreSQL needs cron, is nobody else's to read, and a dump that fails leaves the one before. What an administrator wrote instead stays.

UPDATE infrastructure.vm_application
   SET user_data = replace(
         replace(user_data, E'recommends postgresql\n', E'recommends postgresql cron\n'),
         'postgres pg_dumpall | gzip > /var/lib/postgresql/nightly.sql.gz',
         'postgres umask 077; cd /var/lib/postgresql && pg_dumpall -f nightly.sql && gzip -f nightly.sql')
 WHERE slug = 'postgresql'
   AND user_data LIKE '%postgres pg_dumpall | gzip > /var/lib/postgresql/nightly.sql.gz%';
