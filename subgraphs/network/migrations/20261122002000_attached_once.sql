-- A virtual machine is attached once. Where one is several times the first attachment keeps it, the later ones become gateways.
-- Looks at every attachment once, hundreds of thousands a second.

UPDATE network.infra_enrollment i SET vm_instance = NULL
 WHERE EXISTS (SELECT FROM network.infra_enrollment o
                WHERE o.tenant_id = i.tenant_id AND o.vm_instance = i.vm_instance AND o.id < i.id);
CREATE UNIQUE INDEX infra_vm ON network.infra_enrollment (tenant_id, vm_instance) WHERE vm_instance IS NOT NULL;
