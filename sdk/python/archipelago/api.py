"""The REST operations of the platform. Generated from schema/openapi.json by `npm run schema`."""

from .transport import quote


class Api:
    """One method for each REST operation. An argument that is None is not sent."""

    def __init__(self, transport):
        self.transport = transport

    def exchange_auth_code(self, body):
        """Exchanges the code of a social sign-in for an API token, once.

        :param body: dict: code
        """
        return self.transport.call("POST", "/api/auth/exchange/", body=body)

    def request_challenge(self, body):
        """Starts a wallet sign-in.

        :param body: dict: address, substrate_address
        """
        return self.transport.call("POST", "/api/auth/mnemonic/", body=body)

    def master_token(self):
        """Creates a session: a short-lived access token and a refresh token."""
        return self.transport.call("GET", "/api/auth/token/")

    def refresh_master_token(self, body):
        """Exchanges a refresh token for a new pair of tokens.

        :param body: dict: refresh_token
        """
        return self.transport.call("POST", "/api/auth/token/refresh/", body=body)

    def verify_token(self, body):
        """Verifies an API token.

        :param body: dict: token
        """
        return self.transport.call("POST", "/api/auth/verify-token/", body=body)

    def sign_in(self, body):
        """Completes a wallet sign-in.

        :param body: dict: signature, address, substrate_address, challenge (optional), substrate_signature (optional), referral_code (optional)
        """
        return self.transport.call("POST", "/api/auth/verify/", body=body)

    def own_credit_balance(self, account_ss58=None, page=None, page_size=None):
        """Your balance.

        :param account_ss58: SS58 address of the account; default: your account.
        :param page: Page number, starting at 1. Default 1.
        :param page_size: Page size: default 50, maximum 200.
        """
        return self.transport.call("GET", "/api/billing/credits/balance/", query={"account_ss58": account_ss58, "page": page, "page_size": page_size})

    def substrate_addresses(self, search=None, ordering=None, page=None, page_size=None):
        """Your SS58 addresses.

        :param search: Returns only addresses that contain this text; case-insensitive.
        :param ordering: A field name; prefix it with - for descending order. Has no effect: a user has at most one address.
        :param page: Page number, starting at 1. Default 1.
        :param page_size: Page size: default 50, maximum 200.
        """
        return self.transport.call("GET", "/api/billing/substrate-address/", query={"search": search, "ordering": ordering, "page": page, "page_size": page_size})

    def substrate_address(self, id):
        """Your SS58 address with this id.

        :param id: The id of the address.
        """
        return self.transport.call("GET", f"/api/billing/substrate-address/{quote(id)}/")

    def record_usage(self, body):
        """Records the storage used by an account in a period.

        :param body: dict: account_ss58, period_start, period_end, storage_bytes
        """
        return self.transport.call("POST", "/api/billing/usage/record/", body=body)

    def latest_token_price(self):
        """The latest TAO price."""
        return self.transport.call("GET", "/api/billing/latest-tao-price/")

    def active_subscription(self):
        """Your subscription, if you have one."""
        return self.transport.call("GET", "/api/billing/payproc/active-subscription/")

    def create_checkout_session(self, body):
        """Creates a checkout page for a one-time purchase of credits.

        :param body: dict: amount, success_url (optional), cancel_url (optional)
        """
        return self.transport.call("POST", "/api/billing/payproc/create-checkout-session/", body=body)

    def create_payment(self, body=None):
        """Creates a checkout page for a one-time purchase or a subscription.

        :param body: dict: payment_type (optional), amount (optional), success_url (optional), cancel_url (optional), price_id (optional)
        """
        return self.transport.call("POST", "/api/billing/payproc/create-payment/", body=body)

    def create_subscription(self, body):
        """Creates a checkout page for a subscription.

        :param body: dict: price_id, payment_method_types (optional), success_url (optional), cancel_url (optional)
        """
        return self.transport.call("POST", "/api/billing/payproc/create-subscription/", body=body)

    def open_customer_portal(self, body=None):
        """Creates a link to the customer portal, where you manage cards and subscriptions.

        :param body: dict: return_url (optional)
        """
        return self.transport.call("POST", "/api/billing/payproc/customer-portal/", body=body)

    def subscription_plans(self):
        """The available subscription plans."""
        return self.transport.call("GET", "/api/billing/payproc/subscription-plans/")

    def receive_webhook(self, body):
        """Receives a webhook from the payment processor.

        :param body: dict or list
        """
        return self.transport.call("POST", "/api/billing/payproc/webhook/", body=body)

    def credit_subscriptions(self, status=None, payproc_subscription_id=None, search=None, ordering=None, page=None, page_size=None):
        """The subscriptions of all users.

        :param status: Returns only subscriptions with this status.
        :param payproc_subscription_id: Returns only the subscription with this id at the payment processor.
        :param search: Search text: part of a user name, an address, a plan or an id.
        :param ordering: Field name as in REST; prefix it with - for descending order. Unknown names are ignored.
        :param page: Page number, starting at 1. Default 1.
        :param page_size: Page size: default 50, maximum 200.
        """
        return self.transport.call("GET", "/api/billing/subscriptions/", query={"status": status, "payproc_subscription_id": payproc_subscription_id, "search": search, "ordering": ordering, "page": page, "page_size": page_size})

    def credit_subscription(self, id):
        """A subscription.

        :param id: The id of the subscription.
        """
        return self.transport.call("GET", f"/api/billing/subscriptions/{quote(id)}/")

    def transactions(self, search=None, ordering=None, page=None, page_size=None):
        """Your transactions, at most 200.

        :param search: Search text: part of an id, a status, a currency, …
        :param ordering: Field name as in REST; prefix it with - for descending order. Unknown names are ignored.
        :param page: Page number, starting at 1. Default 1.
        :param page_size: Page size: default 50, maximum 200.
        """
        return self.transport.call("GET", "/api/billing/transactions/", query={"search": search, "ordering": ordering, "page": page, "page_size": page_size})

    def create_transaction(self, body):
        """Creates a transaction.

        :param body: dict: payment_type, amount, currency
        """
        return self.transport.call("POST", "/api/billing/transactions/", body=body)

    def transaction(self, id):
        """One of your transactions, with its current status.

        :param id: A UUID.
        """
        return self.transport.call("GET", f"/api/billing/transactions/{quote(id)}/")

    def vm_applications(self):
        """Available one-click applications, oldest first."""
        return self.transport.call("GET", "/api/infrastructure/vm/applications/")

    def vm_flavors(self):
        """Available machine sizes, oldest first."""
        return self.transport.call("GET", "/api/infrastructure/vm/flavors/")

    def vm_images(self):
        """Available operating systems, oldest first."""
        return self.transport.call("GET", "/api/infrastructure/vm/images/")

    def vm_instances(self):
        """Your virtual machines, newest first."""
        return self.transport.call("GET", "/api/infrastructure/vm/instances/")

    def vm_instance(self, instance_id):
        """One of your virtual machines.

        :param instance_id: Id or uuid of the machine.
        """
        return self.transport.call("GET", f"/api/infrastructure/vm/instances/{quote(instance_id)}/")

    def reboot_vm(self, instance_id):
        """Reboots a running machine.

        :param instance_id: Id or uuid of the machine.
        """
        return self.transport.call("POST", f"/api/infrastructure/vm/instances/{quote(instance_id)}/reboot/")

    def start_vm(self, instance_id):
        """Starts a stopped machine.

        :param instance_id: Id or uuid of the machine.
        """
        return self.transport.call("POST", f"/api/infrastructure/vm/instances/{quote(instance_id)}/start/")

    def stop_vm(self, instance_id):
        """Shuts a running machine down.

        :param instance_id: Id or uuid of the machine.
        """
        return self.transport.call("POST", f"/api/infrastructure/vm/instances/{quote(instance_id)}/stop/")

    def terminate_vm(self, instance_id):
        """Terminates a machine and deletes its disk.

        :param instance_id: Id or uuid of the machine.
        """
        return self.transport.call("POST", f"/api/infrastructure/vm/instances/{quote(instance_id)}/terminate/")

    def spawn_vm(self, body):
        """Creates and starts a virtual machine.

        :param body: dict: flavor_id, image_id, ssh_public_key, application_id (optional), name (optional), join_network (optional)
        """
        return self.transport.call("POST", "/api/infrastructure/vm/spawn/", body=body)

    def models(self, format=None, architecture=None, quantization=None, min_params=None, max_params=None, q=None, mine=None, page=None, page_size=None):
        """Models in the registry: public ones and those of your own projects.

        :param format: Filter: this format, exactly.
        :param architecture: Filter: this architecture, exactly.
        :param quantization: Filter: this quantization, exactly.
        :param min_params: Filter: minimum number of parameters. Excludes models with an unknown number.
        :param max_params: Filter: maximum number of parameters. Excludes models with an unknown number.
        :param q: Search words. All must occur in the name, family, title or format of a version. Case does not matter.
        :param mine: Filter: only models of your own projects.
        :param page: Page number, starting at 1 (default).
        :param page_size: Page size: default 25, at most 200.
        """
        return self.transport.call("GET", "/api/models/", query={"format": format, "architecture": architecture, "quantization": quantization, "min_params": min_params, "max_params": max_params, "q": q, "mine": mine, "page": page, "page_size": page_size})

    def model_formats(self):
        """Filter values of the models that are visible to you."""
        return self.transport.call("GET", "/api/models/formats/")

    def model_versions(self, project, repo, page=None, page_size=None):
        """All versions of a model, newest first.

        :param project: First part of the repository name; `_` if the name has only one part.
        :param repo: The rest of the repository name.
        :param page: Page number, starting at 1 (default).
        :param page_size: Page size: default 25, at most 200.
        """
        return self.transport.call("GET", f"/api/models/{quote(project)}/{quote(repo)}/", query={"page": page, "page_size": page_size})

    def model_version(self, project, repo, reference):
        """A version of a model.

        :param project: First part of the repository name; `_` if the name has only one part.
        :param repo: The rest of the repository name.
        :param reference: A tag or a digest.
        """
        return self.transport.call("GET", f"/api/models/{quote(project)}/{quote(repo)}/{quote(reference)}/")

    def receive_registry_events(self, body):
        """Receives change notifications from the model registry.

        :param body: dict or list
        """
        return self.transport.call("POST", "/api/models/notifications/", body=body)

    def overlay_certificate(self):
        """Your certificate."""
        return self.transport.call("GET", "/api/infrastructure/certificates/")

    def request_certificate(self, body=None):
        """Returns your certificate.

        :param body: dict: public_key (optional)
        """
        return self.transport.call("POST", "/api/infrastructure/certificates/request/", body=body)

    def renew_certificate(self, body=None):
        """Issues a new certificate with the same id and address.

        :param body: dict: public_key (optional)
        """
        return self.transport.call("POST", "/api/infrastructure/certificates/renew/", body=body)

    def object_store_acl(self):
        """The sub-tokens, actions and prefixes that apply to each of your buckets, ordered by bucket name."""
        return self.transport.call("GET", "/api/objectstore/acl/")

    def provision_tenant(self):
        """Creates your private network with a default group, a network and a managed policy."""
        return self.transport.call("POST", "/api/network/provision/")

    def tenant(self):
        """Your private network."""
        return self.transport.call("GET", "/api/network/me/")

    def groups(self):
        """Your groups, oldest first."""
        return self.transport.call("GET", "/api/network/groups/")

    def create_group(self, body):
        """Creates a group.

        :param body: dict: label
        """
        return self.transport.call("POST", "/api/network/groups/", body=body)

    def delete_group(self, id):
        """Deletes a group.

        :param id: The group.
        """
        return self.transport.call("DELETE", f"/api/network/groups/{quote(id)}/")

    def networks(self):
        """Your networks, oldest first."""
        return self.transport.call("GET", "/api/network/networks/")

    def create_network(self, body):
        """Creates a network.

        :param body: dict: name, description (optional)
        """
        return self.transport.call("POST", "/api/network/networks/", body=body)

    def delete_network(self, id):
        """Deletes a network with its resources and routers.

        :param id: The network.
        """
        return self.transport.call("DELETE", f"/api/network/networks/{quote(id)}/")

    def resources(self, nid):
        """The resources of a network, oldest first.

        :param nid: One of your networks.
        """
        return self.transport.call("GET", f"/api/network/networks/{quote(nid)}/resources/")

    def create_resource(self, nid, body):
        """Creates a resource.

        :param nid: One of your networks.
        :param body: dict: name, address, kind (optional), groups (optional), enabled (optional)
        """
        return self.transport.call("POST", f"/api/network/networks/{quote(nid)}/resources/", body=body)

    def update_resource(self, nid, rid, body=None):
        """Updates a resource.

        :param nid: One of your networks.
        :param rid: The resource.
        :param body: dict: name (optional), address (optional), kind (optional), groups (optional), enabled (optional)
        """
        return self.transport.call("PATCH", f"/api/network/networks/{quote(nid)}/resources/{quote(rid)}/", body=body)

    def delete_resource(self, nid, rid):
        """Deletes a resource.

        :param nid: One of your networks.
        :param rid: The resource.
        """
        return self.transport.call("DELETE", f"/api/network/networks/{quote(nid)}/resources/{quote(rid)}/")

    def routers(self, nid):
        """The routers of a network, oldest first.

        :param nid: One of your networks.
        """
        return self.transport.call("GET", f"/api/network/networks/{quote(nid)}/routers/")

    def create_router(self, nid, body):
        """Makes a peer a router of a network.

        :param nid: One of your networks.
        :param body: dict: peer, masquerade (optional), metric (optional), enabled (optional)
        """
        return self.transport.call("POST", f"/api/network/networks/{quote(nid)}/routers/", body=body)

    def delete_router(self, nid, rid):
        """Deletes a router.

        :param nid: One of your networks.
        :param rid: The router.
        """
        return self.transport.call("DELETE", f"/api/network/networks/{quote(nid)}/routers/{quote(rid)}/")

    def change_member(self, id, body):
        """Adds a peer to a group or removes it.

        :param id: One of your groups.
        :param body: dict: peer, action (optional)
        """
        return self.transport.call("POST", f"/api/network/groups/{quote(id)}/members/", body=body)

    def peers(self):
        """Your peers, oldest first."""
        return self.transport.call("GET", "/api/network/peers/")

    def peer(self, id):
        """One of your peers.

        :param id: The peer.
        """
        return self.transport.call("GET", f"/api/network/peers/{quote(id)}/")

    def update_peer(self, id, body=None):
        """Updates a peer.

        :param id: The peer.
        :param body: dict: label (optional), groups (optional)
        """
        return self.transport.call("PATCH", f"/api/network/peers/{quote(id)}/", body=body)

    def delete_peer(self, id):
        """Deletes a peer.

        :param id: The peer.
        """
        return self.transport.call("DELETE", f"/api/network/peers/{quote(id)}/")

    def policies(self):
        """Your policies, oldest first."""
        return self.transport.call("GET", "/api/network/policies/")

    def create_policy(self, body):
        """Creates a policy.

        :param body: dict: name (optional), source_group, dest_group, protocol (optional), ports (optional), bidirectional (optional), action (optional), enabled (optional)
        """
        return self.transport.call("POST", "/api/network/policies/", body=body)

    def update_policy(self, id, body=None):
        """Updates a policy.

        :param id: The policy.
        :param body: dict: name (optional), source_group (optional), dest_group (optional), protocol (optional), ports (optional), bidirectional (optional), action (optional), enabled (optional)
        """
        return self.transport.call("PATCH", f"/api/network/policies/{quote(id)}/", body=body)

    def delete_policy(self, id):
        """Deletes a policy.

        :param id: The policy.
        """
        return self.transport.call("DELETE", f"/api/network/policies/{quote(id)}/")

    def topology(self):
        """Your private network as a graph."""
        return self.transport.call("GET", "/api/network/topology/")

    def enroll_peer(self, body=None):
        """Creates a peer and a setup key, with which one machine joins as this peer.

        :param body: dict: vm_label (optional), group (optional), vm_ticket_ref (optional)
        """
        return self.transport.call("POST", "/api/network/peers/enroll/", body=body)

    def setup_keys(self):
        """Your setup keys, oldest first."""
        return self.transport.call("GET", "/api/network/enroll-keys/")

    def revoke_setup_key(self, id):
        """Revokes a setup key.

        :param id: The setup key.
        """
        return self.transport.call("DELETE", f"/api/network/enroll-keys/{quote(id)}/")

    def enroll_infra(self, body):
        """Attaches a machine that the platform runs.

        :param body: dict: name, vm_instance (optional), group (optional)
        """
        return self.transport.call("POST", "/api/network/infra/enroll/", body=body)

    def infra_enrollments(self):
        """Machines of the platform in your network, oldest first."""
        return self.transport.call("GET", "/api/network/infra/enrollments/")

    def delete_infra_enrollment(self, id):
        """Detaches a machine and deletes its peer.

        :param id: The enrollment.
        """
        return self.transport.call("DELETE", f"/api/network/infra/enrollments/{quote(id)}/")

    def join_network(self, body):
        """Exchanges a setup key and a public key for a place in the private network.

        :param body: dict: setup_key, public_key
        """
        return self.transport.call("POST", "/api/network/join/", body=body)

    def configuration(self, wait=None):
        """The Nebula configuration of the machine, with its certificate.

        :param wait: Seconds to wait, at most 20, until the text differs from the one that `If-None-Match` names.
        """
        return self.transport.call("GET", "/api/network/configuration/", query={"wait": wait})

    def report_configuration(self, body):
        """Records the configuration that a machine runs and, for a router, the addresses of names it resolved.

        :param body: dict: applied, peer (optional), names (optional)
        """
        return self.transport.call("POST", "/api/network/report/", body=body)

    def notification_preferences(self):
        """Your notification preferences."""
        return self.transport.call("GET", "/api/notifications/settings/")

    def replace_notification_preferences(self, body):
        """Changes your notification preferences.

        :param body: dict: email_enabled, low_credit_alerts, zero_balance_alerts, file_status_updates, marketing_emails
        """
        return self.transport.call("PUT", "/api/notifications/settings/", body=body)

    def update_notification_preferences(self, body=None):
        """Changes your notification preferences.

        :param body: dict: email_enabled (optional), low_credit_alerts (optional), zero_balance_alerts (optional), file_status_updates (optional), marketing_emails (optional)
        """
        return self.transport.call("PATCH", "/api/notifications/settings/", body=body)

    def join_script(self):
        """A POSIX shell script that joins a machine to a private network."""
        return self.transport.call("GET", "/network/join.sh")

    def jwks(self):
        """The public keys that verify access tokens, as a JWK set."""
        return self.transport.call("GET", "/.well-known/jwks.json")

    def exchange_auth_code2(self, body):
        """Exchanges the code of a social sign-in for an API token, once.

        :param body: dict: code
        """
        return self.transport.call("POST", "/auth/exchange/", body=body)

    def start_social_sign_in(self, provider, next):
        """Starts a sign-in with a social provider.

        :param provider: Name of the provider, lower case.
        :param next: URL to return to: below the public URL or a registered address, or /get-token/?callback_url=… with one of these. The callback itself must not be a /get-token/ page.
        """
        return self.transport.call("GET", f"/accounts/{quote(provider)}/login/", query={"next": next})

    def complete_social_sign_in(self, provider, state, code=None, iss=None, error=None, error_description=None):
        """Completes a sign-in with a social provider.

        :param provider: Name of the provider, lower case.
        :param state: The value from the provider.
        :param code: The value from the provider.
        :param iss: The value from the provider.
        :param error: The value from the provider.
        :param error_description: The value from the provider.
        """
        return self.transport.call("GET", f"/accounts/{quote(provider)}/callback/", query={"state": state, "code": code, "iss": iss, "error": error, "error_description": error_description})

    def register_folder(self, body):
        """Registers a folder.

        :param body: dict: ss58_address, folder_hash, label, device_name (optional)
        """
        return self.transport.call("POST", "/register_folder", body=body)

    def list_folders(self, base_address):
        """Your registered folders.

        :param base_address: Your SS58 address.
        """
        return self.transport.call("GET", f"/list_folders/{quote(base_address)}")

    def unregister_folder(self, body):
        """Unregisters a folder and deletes its files.

        :param body: dict: ss58_address, folder_hash
        """
        return self.transport.call("DELETE", "/unregister_folder", body=body)

    def open_upload_session(self, body):
        """Opens a session to upload a file in chunks, in any order.

        :param body: dict: manifest, chunk_count, chunk_size, ciphertext_size
        """
        return self.transport.call("POST", "/upload/session", body=body)

    def upload_chunk(self, session_id, chunk_index, body):
        """Stores a chunk.

        :param session_id: Id of the upload session.
        :param chunk_index: Index of the chunk, from 0.
        :param body: bytes
        """
        return self.transport.call("PUT", f"/upload/session/{quote(session_id)}/chunk/{quote(chunk_index)}", body=body)

    def upload_session_status(self, session_id):
        """Returns your upload session and extends it to a day from now.

        :param session_id: Id of the upload session.
        """
        return self.transport.call("GET", f"/upload/session/{quote(session_id)}/status")

    def finalize_upload(self, session_id):
        """Writes the file when all chunks are stored.

        :param session_id: Id of the upload session.
        """
        return self.transport.call("POST", f"/upload/session/{quote(session_id)}/finalize")

    def delete_upload_session(self, session_id):
        """Deletes an upload session and its chunks.

        :param session_id: Id of the upload session.
        """
        return self.transport.call("DELETE", f"/upload/session/{quote(session_id)}")

    def upload_file(self, body):
        """Stores a file in one request, new or as the next revision.

        :param body: a `transport.Form`
        """
        return self.transport.call("POST", "/upload", body=body)

    def get_state(self, ss58, folder_hash, offset=None, limit=None):
        """Lists the files of a folder, ordered by path hash.

        :param ss58: SS58 address of the owner.
        :param folder_hash: Folder hash: 16 hex digits; omit it for files of an object-store gateway.
        :param offset: Number of files to skip; default 0.
        :param limit: Page size; default 1000, maximum 5000.
        """
        return self.transport.call("GET", f"/get_state/{quote(ss58)}/{quote(folder_hash)}", query={"offset": offset, "limit": limit})

    def browse_folder(self, ss58, folder_hash, path=None, offset=None, limit=None, sort_by=None, sort_order=None, file_type=None, uploaded_by=None):
        """Lists a directory of a synced folder.

        :param ss58: SS58 address of the owner.
        :param folder_hash: Folder hash: 16 hex digits.
        :param path: Path of the directory; default is the root.
        :param offset: Number of entries to skip; default 0. Directories come before files.
        :param limit: Maximum number of entries (directories and files); default 50, maximum 200.
        :param sort_by: Sort order of files (not directories): file_name (default), size_bytes, created_at, updated_at, extension or uploaded_by; any other value means file_name.
        :param sort_order: `asc` or `desc`; any other value means `asc`.
        :param file_type: Category or extension, as in `searchFiles`. If set, directories are not listed.
        :param uploaded_by: Only files uploaded by this SS58 address. If set, directories are not listed.
        """
        return self.transport.call("GET", f"/browse/{quote(ss58)}/{quote(folder_hash)}", query={"path": path, "offset": offset, "limit": limit, "sort_by": sort_by, "sort_order": sort_order, "file_type": file_type, "uploaded_by": uploaded_by})

    def search_files(self, ss58, q=None, file_type=None, size_min=None, size_max=None, date_from=None, date_to=None, offset=None, limit=None, sort_by=None, sort_order=None):
        """Searches the files in all folders of an owner.

        :param ss58: SS58 address of the owner.
        :param q: Substring of the file name, or of the relative path if the file has no name; case-insensitive, at most 256 characters.
        :param file_type: Category (image, video, audio, document, pdf, archive or code) or extension such as `.png`.
        :param size_min: Minimum size in bytes before encryption.
        :param size_max: Maximum size in bytes before encryption.
        :param date_from: Earliest creation time, in Unix seconds.
        :param date_to: Latest creation time, in Unix seconds.
        :param offset: Number of files to skip; default 0.
        :param limit: Page size; default 25, maximum 10000.
        :param sort_by: Sort order: file_name, size_bytes, created_at or updated_at; any other value means created_at.
        :param sort_order: `asc` or `desc`; any other value means `desc`.
        """
        return self.transport.call("GET", f"/search_files/{quote(ss58)}", query={"q": q, "file_type": file_type, "size_min": size_min, "size_max": size_max, "date_from": date_from, "date_to": date_to, "offset": offset, "limit": limit, "sort_by": sort_by, "sort_order": sort_order})

    def download(self, ss58, folder_hash, file_id):
        """The ciphertext of a file that you own.

        :param ss58: 
        :param folder_hash: 
        :param file_id: 
        """
        return self.transport.call("GET", f"/download/{quote(ss58)}/{quote(folder_hash)}/{quote(file_id)}")

    def download2(self, ss58, file_id):
        """The ciphertext of a file that you own.

        :param ss58: 
        :param file_id: 
        """
        return self.transport.call("GET", f"/download/{quote(ss58)}/{quote(file_id)}")

    def delete_file(self, ss58, folder_hash, file_id):
        """Deletes a file.

        :param ss58: SS58 address of the owner.
        :param folder_hash: Folder hash: 16 hex digits; omit it for files of an object-store gateway.
        :param file_id: File id: hex of the path hash.
        """
        return self.transport.call("DELETE", f"/delete/{quote(ss58)}/{quote(folder_hash)}/{quote(file_id)}")

    def delete_file2(self, ss58, file_id, body=None):
        """Deletes a file.

        :param ss58: SS58 address of the owner.
        :param file_id: File id: hex of the path hash.
        :param body: dict: folder_hash (optional)
        """
        return self.transport.call("DELETE", f"/delete/{quote(ss58)}/{quote(file_id)}", body=body)

    def delete_files(self, body):
        """Deletes files independently of each other.

        :param body: dict: ss58_address, folder_hash (optional), file_ids, quiet (optional)
        """
        return self.transport.call("POST", "/delete_files", body=body)

    def rename_files(self, body):
        """Renames files of a folder independently of each other.

        :param body: dict: ss58_address, folder_hash, renames, signature, signing_key
        """
        return self.transport.call("POST", "/rename_files", body=body)

    def register_relative_paths(self, ss58, folder_hash, body):
        """Registers the paths of files that were stored without a path, so that they can be browsed and searched.

        :param ss58: SS58 address of the owner.
        :param folder_hash: Folder hash: 16 hex digits.
        :param body: dict: entries
        """
        return self.transport.call("POST", f"/register_relative_paths/{quote(ss58)}/{quote(folder_hash)}", body=body)

    def can_upload(self, body):
        """Whether a file of this size can be uploaded now.

        :param body: dict: ss58_address, folder_hash (optional), size_bytes
        """
        return self.transport.call("POST", "/can_upload", body=body)

    def folder_entries(self, ss58, folder_hash):
        """Registered directories of a folder that contain no file.

        :param ss58: Your SS58 address.
        :param folder_hash: Folder hash: 16 hex digits.
        """
        return self.transport.call("GET", f"/list_folder_entries/{quote(ss58)}/{quote(folder_hash)}")

    def user_summary(self, ss58):
        """Totals of all files of an owner.

        :param ss58: SS58 address of the owner.
        """
        return self.transport.call("GET", f"/get_user_summary/{quote(ss58)}")

    def file_type_summary(self, ss58):
        """Number and size of files by type: image, video, audio, document, pdf, archive, code, other.

        :param ss58: SS58 address of the owner.
        """
        return self.transport.call("GET", f"/get_file_type_summary/{quote(ss58)}")

    def source_summary(self, ss58):
        """Number and size of files by the kind of client that uploaded them: desktop, console, mobile, other.

        :param ss58: SS58 address of the owner.
        """
        return self.transport.call("GET", f"/get_source_summary/{quote(ss58)}")
