-- What real hosts of machines need. Adds columns with constant values and a table: instant on any database.

ALTER TABLE infrastructure.vm_instance
  ADD COLUMN ssh_port integer,
  -- Whether it joins its owner's private network when it first starts.
  ADD COLUMN joins_network boolean NOT NULL DEFAULT false;

-- What VM_PROVIDER=proxmox remembers of its machines, and of those that are gone.
CREATE TABLE infrastructure.hosted_machine (
  uuid uuid PRIMARY KEY,
  task text,
  reboot text,
  is_gone boolean NOT NULL DEFAULT false
);
