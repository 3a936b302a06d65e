-- Machines and what they cost are found by their user first. The keys replace the index by user; the uuid, by which a host knows a
-- machine, stays unique over all users. Builds the keys once, hundreds of thousands of rows a second.

ALTER TABLE infrastructure.vm_billing DROP CONSTRAINT vm_billing_instance_id_fkey, DROP CONSTRAINT vm_billing_pkey;
DROP INDEX infrastructure.vm_instance_of_user;
ALTER TABLE infrastructure.vm_instance DROP CONSTRAINT vm_instance_pkey, ADD PRIMARY KEY (user_id, id);
ALTER TABLE infrastructure.vm_billing
  ADD PRIMARY KEY (user_id, instance_id),
  ADD CONSTRAINT vm_billing_instance FOREIGN KEY (user_id, instance_id) REFERENCES infrastructure.vm_instance;
