export interface paths {
    "/api/auth/exchange/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchanges the code of a social sign-in for an API token, once
         * @description Exchanges the code of a social sign-in for an API token, once. Error BAD_REQUEST.
         */
        post: operations["ExchangeAuthCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/mnemonic/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Starts a wallet sign-in
         * @description Starts a wallet sign-in. Errors BAD_REQUEST for invalid addresses, RATE_LIMITED above 120 per minute from one client address.
         */
        post: operations["RequestChallenge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/token/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Creates a session: a short-lived access token and a refresh token
         * @description Creates a session: a short-lived access token and a refresh token. The session ends when the token or session that created it ends: it is revoked, or has expired by the next refresh. Beyond 100 sessions the oldest ends. For users only. Errors FORBIDDEN for services, BAD_REQUEST if there is no API token to replace, RATE_LIMITED above 30 per minute.
         */
        get: operations["MasterToken"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/token/refresh/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchanges a refresh token for a new pair of tokens
         * @description Exchanges a refresh token for a new pair of tokens; each refresh token works once. Reusing it within 20 seconds returns the same pair; reusing it later ends the session, as does the expiry of the token or session that created it. Errors UNAUTHENTICATED, RATE_LIMITED above 60 per minute.
         */
        post: operations["RefreshMasterToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/verify-token/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verifies an API token
         * @description Verifies an API token. Error NOT_FOUND if it is unknown, expired or revoked.
         */
        post: operations["VerifyToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/verify/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Completes a wallet sign-in
         * @description Completes a wallet sign-in. Errors BAD_REQUEST for malformed or missing values, UNAUTHENTICATED for a wrong signature, RATE_LIMITED above 30 per minute from one client address.
         */
        post: operations["SignIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/billing/credits/balance/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your balance
         * @description Your balance. Validators and administrators can pass the address of another account. Errors FORBIDDEN, NOT_FOUND.
         *
         *     The balances of all accounts with an SS58 address. Requires the role VALIDATOR or ADMIN, else FORBIDDEN.
         */
        get: operations["OwnCreditBalance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/billing/substrate-address/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your SS58 addresses
         * @description Your SS58 addresses.
         */
        get: operations["SubstrateAddresses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/billing/substrate-address/{id}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your SS58 address with this id
         * @description Your SS58 address with this id. Error NOT_FOUND.
         */
        get: operations["SubstrateAddress"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/billing/usage/record/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Records the storage used by an account in a period
         * @description Records the storage used by an account in a period. Recording the same account and period again updates the record; where the platform records its own figure for a period, that of a validator takes precedence. The record of the latest period is the summary in the user’s profile, `User.storageUsage`. Requires a service token with the role VALIDATOR or ADMIN. Errors FORBIDDEN (also for users with these roles), NOT_FOUND.
         */
        post: operations["RecordUsage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/billing/latest-tao-price/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The latest TAO price
         * @description The latest TAO price. No sign-in required. Error NOT_FOUND before the first price.
         */
        get: operations["LatestTokenPrice"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/billing/payproc/active-subscription/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your subscription, if you have one
         * @description Your subscription, if you have one. Error UNAVAILABLE.
         */
        get: operations["ActiveSubscription"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/billing/payproc/create-checkout-session/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Creates a checkout page for a one-time purchase of credits
         * @description Creates a checkout page for a one-time purchase of credits. Repeating the request while the page is open returns the same page. Errors BAD_REQUEST, RATE_LIMITED, UNAVAILABLE.
         */
        post: operations["CreateCheckoutSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/billing/payproc/create-payment/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Creates a checkout page for a one-time purchase or a subscription
         * @description Creates a checkout page for a one-time purchase or a subscription. Errors BAD_REQUEST, RATE_LIMITED, UNAVAILABLE.
         */
        post: operations["CreatePayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/billing/payproc/create-subscription/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Creates a checkout page for a subscription
         * @description Creates a checkout page for a subscription. Errors BAD_REQUEST, RATE_LIMITED, UNAVAILABLE.
         */
        post: operations["CreateSubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/billing/payproc/customer-portal/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Creates a link to the customer portal, where you manage cards and subscriptions
         * @description Creates a link to the customer portal, where you manage cards and subscriptions. Errors BAD_REQUEST if you never had a subscription, RATE_LIMITED above 30 per minute, UNAVAILABLE.
         */
        post: operations["OpenCustomerPortal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/billing/payproc/subscription-plans/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The available subscription plans
         * @description The available subscription plans. Error UNAVAILABLE.
         */
        get: operations["SubscriptionPlans"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/billing/payproc/webhook/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receives a webhook from the payment processor
         * @description Receives a webhook from the payment processor. Errors BAD_REQUEST for an invalid signature, UNAVAILABLE.
         */
        post: operations["ReceiveWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/billing/subscriptions/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The subscriptions of all users
         * @description The subscriptions of all users. Requires the role MARKETING, else FORBIDDEN.
         */
        get: operations["CreditSubscriptions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/billing/subscriptions/{id}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A subscription
         * @description A subscription. Requires the role MARKETING, else FORBIDDEN. Error NOT_FOUND.
         */
        get: operations["CreditSubscription"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/billing/transactions/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your transactions, at most 200
         * @description Your transactions, at most 200; use transactionPage for more.
         *
         *     A page of your transactions.
         */
        get: operations["Transactions"];
        put?: never;
        /**
         * Creates a transaction
         * @description Creates a transaction. Card payments return a client secret to confirm the payment; crypto payments return a deposit address. Repeating the request within ten minutes returns the same transaction while it is pending. Errors BAD_REQUEST, FORBIDDEN for services, RATE_LIMITED above 5 new or 30 repeated ones per minute and above 20 unpaid ones in crypto, UNAVAILABLE.
         */
        post: operations["CreateTransaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/billing/transactions/{id}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One of your transactions, with its current status
         * @description One of your transactions, with its current status. Error NOT_FOUND.
         */
        get: operations["Transaction"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/infrastructure/vm/applications/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Available one-click applications, oldest first
         * @description Available one-click applications, oldest first.
         */
        get: operations["VmApplications"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/infrastructure/vm/flavors/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Available machine sizes, oldest first
         * @description Available machine sizes, oldest first.
         */
        get: operations["VmFlavors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/infrastructure/vm/images/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Available operating systems, oldest first
         * @description Available operating systems, oldest first.
         */
        get: operations["VmImages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/infrastructure/vm/instances/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your virtual machines, newest first
         * @description Your virtual machines, newest first. Terminated machines are listed for one hour.
         */
        get: operations["VmInstances"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/infrastructure/vm/instances/{instance_id}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One of your virtual machines
         * @description One of your virtual machines. Error NOT_FOUND.
         */
        get: operations["VmInstance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/infrastructure/vm/instances/{instance_id}/reboot/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reboots a running machine
         * @description Reboots a running machine. Errors: NOT_FOUND, CONFLICT.
         */
        post: operations["RebootVm"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/infrastructure/vm/instances/{instance_id}/start/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Starts a stopped machine
         * @description Starts a stopped machine. Errors: NOT_FOUND, CONFLICT, PAYMENT_REQUIRED when credits do not cover one hour.
         */
        post: operations["StartVm"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/infrastructure/vm/instances/{instance_id}/stop/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Shuts a running machine down
         * @description Shuts a running machine down. Errors: NOT_FOUND, CONFLICT.
         */
        post: operations["StopVm"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/infrastructure/vm/instances/{instance_id}/terminate/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Terminates a machine and deletes its disk
         * @description Terminates a machine and deletes its disk. This cannot be undone. Repeating it has no further effect. Error NOT_FOUND.
         */
        post: operations["TerminateVm"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/infrastructure/vm/spawn/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Creates and starts a virtual machine
         * @description Creates and starts a virtual machine. Requires the role BETA and 10 credits. Errors: FORBIDDEN; BAD_REQUEST; PAYMENT_REQUIRED; CONFLICT for an idempotency key of another request and for more than 100 machines.
         */
        post: operations["SpawnVm"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/models/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Models in the registry: public ones and those of your own projects
         * @description Models in the registry: public ones and those of your own projects. Error BAD_REQUEST.
         */
        get: operations["Models"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/models/formats/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Filter values of the models that are visible to you
         * @description Filter values of the models that are visible to you.
         */
        get: operations["ModelFormats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/models/{project}/{repo}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All versions of a model, newest first
         * @description All versions of a model, newest first. Errors: BAD_REQUEST, NOT_FOUND.
         */
        get: operations["ModelVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/models/{project}/{repo}/{reference}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A version of a model
         * @description A version of a model. Error NOT_FOUND.
         */
        get: operations["ModelVersion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/models/notifications/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receives change notifications from the model registry
         * @description Receives change notifications from the model registry. Errors: UNAUTHENTICATED without the token of the registry, BAD_REQUEST, UNAVAILABLE when no registry is configured.
         */
        post: operations["ReceiveRegistryEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/infrastructure/certificates/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your certificate
         * @description Your certificate. Errors: NOT_FOUND when you have none or it has expired, UNAVAILABLE.
         */
        get: operations["OverlayCertificate"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/infrastructure/certificates/request/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Returns your certificate
         * @description Returns your certificate. Issues one if you have none, and renews one that has expired. Requires a balance of 10 credits, but spends none. Provisions your private network if you have none, because the certificate is signed by its authority. Errors: BAD_REQUEST for the public key, PAYMENT_REQUIRED, CONFLICT when your certificate has another key, RATE_LIMITED, UNAVAILABLE.
         */
        post: operations["RequestCertificate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/infrastructure/certificates/renew/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Issues a new certificate with the same id and address
         * @description Issues a new certificate with the same id and address. With a new public key, certificates for the previous key are revoked. Errors: BAD_REQUEST for the public key, NOT_FOUND when there is nothing to renew, CONFLICT, UNAVAILABLE.
         */
        post: operations["RenewCertificate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/objectstore/acl/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The sub-tokens, actions and prefixes that apply to each of your buckets, ordered by bucket name
         * @description The sub-tokens, actions and prefixes that apply to each of your buckets, ordered by bucket name.
         */
        get: operations["ObjectStoreAcl"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/network/provision/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Creates your private network with a default group, a network and a managed policy
         * @description Creates your private network with a default group, a network and a managed policy. Safe to repeat. Refused with status 503 when the lighthouses have no UDP port left.
         */
        post: operations["ProvisionTenant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/network/me/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your private network
         * @description Your private network. Error FORBIDDEN until it is provisioned.
         */
        get: operations["Tenant"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/network/groups/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your groups, oldest first
         * @description Your groups, oldest first; the default group is the first. Error FORBIDDEN until your private network is provisioned.
         */
        get: operations["Groups"];
        put?: never;
        /**
         * Creates a group
         * @description Creates a group. Errors: BAD_REQUEST for the label, FORBIDDEN until your private network is provisioned, CONFLICT when the label is taken.
         */
        post: operations["CreateGroup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/network/groups/{id}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Deletes a group
         * @description Deletes a group. Errors: FORBIDDEN until your private network is provisioned, NOT_FOUND, CONFLICT for the default group and for a group in use.
         */
        delete: operations["DeleteGroup"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/network/networks/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your networks, oldest first
         * @description Your networks, oldest first; the default network is the first. Error FORBIDDEN until your private network is provisioned.
         */
        get: operations["Networks"];
        put?: never;
        /**
         * Creates a network
         * @description Creates a network. Errors: BAD_REQUEST for its fields, FORBIDDEN until your private network is provisioned, CONFLICT when the name is taken.
         */
        post: operations["CreateNetwork"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/network/networks/{id}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Deletes a network with its resources and routers
         * @description Deletes a network with its resources and routers. Errors: FORBIDDEN until your private network is provisioned, NOT_FOUND, CONFLICT for the default network.
         */
        delete: operations["DeleteNetwork"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/network/networks/{nid}/resources/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The resources of a network, oldest first
         * @description The resources of a network, oldest first. Errors: FORBIDDEN until your private network is provisioned, NOT_FOUND.
         */
        get: operations["Resources"];
        put?: never;
        /**
         * Creates a resource
         * @description Creates a resource. Errors: BAD_REQUEST for its fields and for groups that are not yours, FORBIDDEN until your private network is provisioned, NOT_FOUND for the network, CONFLICT when the name is taken and when the private network would have more than 1,000 resources or 20,000 routes.
         */
        post: operations["CreateResource"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/network/networks/{nid}/resources/{rid}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Deletes a resource
         * @description Deletes a resource. Errors: FORBIDDEN until your private network is provisioned, NOT_FOUND.
         */
        delete: operations["DeleteResource"];
        options?: never;
        head?: never;
        /**
         * Updates a resource
         * @description Updates a resource. Omitted fields keep their values. Errors: BAD_REQUEST, FORBIDDEN until your private network is provisioned, NOT_FOUND, CONFLICT when the name is taken.
         */
        patch: operations["UpdateResource"];
        trace?: never;
    };
    "/api/network/networks/{nid}/routers/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The routers of a network, oldest first
         * @description The routers of a network, oldest first. Errors: FORBIDDEN until your private network is provisioned, NOT_FOUND.
         */
        get: operations["Routers"];
        put?: never;
        /**
         * Makes a peer a router of a network
         * @description Makes a peer a router of a network. Errors: BAD_REQUEST for the metric and for a peer that is not yours, FORBIDDEN until your private network is provisioned, NOT_FOUND for the network, CONFLICT when the peer is already a router of the network, when it is the holder of a certificate, and when the private network would have more than 500 routers or 20,000 routes.
         */
        post: operations["CreateRouter"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/network/networks/{nid}/routers/{rid}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Deletes a router
         * @description Deletes a router; its peer remains. Errors: FORBIDDEN until your private network is provisioned, NOT_FOUND.
         */
        delete: operations["DeleteRouter"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/network/groups/{id}/members/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Adds a peer to a group or removes it
         * @description Adds a peer to a group or removes it. Safe to repeat. Errors: FORBIDDEN until your private network is provisioned, NOT_FOUND for the group, BAD_REQUEST for a peer that is not yours, CONFLICT for the last group of a peer.
         */
        post: operations["ChangeMember"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/network/peers/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your peers, oldest first
         * @description Your peers, oldest first. Error FORBIDDEN until your private network is provisioned.
         */
        get: operations["Peers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/network/peers/{id}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One of your peers
         * @description One of your peers. Errors: FORBIDDEN until your private network is provisioned, NOT_FOUND.
         */
        get: operations["Peer"];
        put?: never;
        post?: never;
        /**
         * Deletes a peer
         * @description Deletes a peer. Each other peer refuses its certificate once it has its next configuration. Errors: FORBIDDEN until your private network is provisioned, NOT_FOUND.
         */
        delete: operations["DeletePeer"];
        options?: never;
        head?: never;
        /**
         * Updates a peer
         * @description Updates a peer. Omitted fields keep their values; groups are replaced. Errors: BAD_REQUEST for its fields and for groups that are not yours, FORBIDDEN until your private network is provisioned, NOT_FOUND.
         */
        patch: operations["UpdatePeer"];
        trace?: never;
    };
    "/api/network/policies/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your policies, oldest first
         * @description Your policies, oldest first; the managed policy is the first. Error FORBIDDEN until your private network is provisioned.
         */
        get: operations["Policies"];
        put?: never;
        /**
         * Creates a policy
         * @description Creates a policy. Errors: BAD_REQUEST for its fields and for groups that are not yours, FORBIDDEN until your private network is provisioned.
         */
        post: operations["CreatePolicy"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/network/policies/{id}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Deletes a policy
         * @description Deletes a policy. Errors: FORBIDDEN until your private network is provisioned, NOT_FOUND, CONFLICT for a managed policy.
         */
        delete: operations["DeletePolicy"];
        options?: never;
        head?: never;
        /**
         * Updates a policy
         * @description Updates a policy. Omitted fields keep their values, except that ports are cleared when the new protocol has no ports. Errors: FORBIDDEN until your private network is provisioned, NOT_FOUND, BAD_REQUEST, CONFLICT for a managed policy.
         */
        patch: operations["UpdatePolicy"];
        trace?: never;
    };
    "/api/network/topology/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your private network as a graph
         * @description Your private network as a graph. Error FORBIDDEN until your private network is provisioned.
         */
        get: operations["Topology"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/network/peers/enroll/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Creates a peer and a setup key, with which one machine joins as this peer
         * @description Creates a peer and a setup key, with which one machine joins as this peer. Errors: FORBIDDEN until your private network is provisioned, BAD_REQUEST for the fields and for a group that is not yours, CONFLICT when no address is left, UNAVAILABLE when the server that creates keys does not respond or refuses.
         */
        post: operations["EnrollPeer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/network/enroll-keys/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your setup keys, oldest first
         * @description Your setup keys, oldest first. Above 5,000, the oldest that are revoked or have lost their peer are deleted, but never those of the platform’s virtual machines. Error FORBIDDEN until your private network is provisioned.
         */
        get: operations["SetupKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/network/enroll-keys/{id}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revokes a setup key
         * @description Revokes a setup key. Revoking a used key does not remove the machine that joined with it. Errors: FORBIDDEN until your private network is provisioned, NOT_FOUND.
         */
        delete: operations["RevokeSetupKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/network/infra/enroll/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Attaches a machine that the platform runs
         * @description Attaches a machine that the platform runs. Errors: FORBIDDEN until your private network is provisioned, BAD_REQUEST for the name and for a VM instance or group that is not yours, CONFLICT when the name is taken, the VM instance is already attached or no address is left.
         */
        post: operations["EnrollInfra"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/network/infra/enrollments/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Machines of the platform in your network, oldest first
         * @description Machines of the platform in your network, oldest first. Error FORBIDDEN until your private network is provisioned.
         */
        get: operations["InfraEnrollments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/network/infra/enrollments/{id}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Detaches a machine and deletes its peer
         * @description Detaches a machine and deletes its peer. Errors: FORBIDDEN until your private network is provisioned, NOT_FOUND.
         */
        delete: operations["DeleteInfraEnrollment"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/network/join/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchanges a setup key and a public key for a place in the private network
         * @description Exchanges a setup key and a public key for a place in the private network. Repeating it with the same keys returns the same peer with a new token. Errors: BAD_REQUEST for the public key, UNAUTHENTICATED for a setup key that is unknown, expired or revoked, CONFLICT for a key that another machine used, RATE_LIMITED after many refusals.
         */
        post: operations["JoinNetwork"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/network/configuration/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The Nebula configuration of the machine, with its certificate
         * @description The Nebula configuration of the machine, with its certificate. Errors: UNAUTHENTICATED if its token is invalid, UNAVAILABLE.
         */
        get: operations["Configuration"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/network/report/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Records the configuration that a machine runs and, for a router, the addresses of names it resolved
         * @description Records the configuration that a machine runs and, for a router, the addresses of names it resolved. A refused report records nothing; after a failure of the platform, its addresses may be recorded. Errors: UNAUTHENTICATED for the token, FORBIDDEN for another peer, BAD_REQUEST for an invalid hash, names the peer is not configured to resolve and addresses it cannot route, CONFLICT for too many addresses, RATE_LIMITED when they change too often.
         */
        post: operations["ReportConfiguration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/notifications/settings/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your notification preferences
         * @description Your notification preferences.
         */
        get: operations["NotificationPreferences"];
        /**
         * Changes your notification preferences
         * @description Changes your notification preferences; returns all of them. An omitted optional preference keeps its value.
         */
        put: operations["ReplaceNotificationPreferences"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Changes your notification preferences
         * @description Changes your notification preferences; returns all of them. An omitted optional preference keeps its value.
         */
        patch: operations["UpdateNotificationPreferences"];
        trace?: never;
    };
    "/network/join.sh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A POSIX shell script that joins a machine to a private network
         * @description A POSIX shell script that joins a machine to a private network.
         */
        get: operations["JoinScript"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/jwks.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The public keys that verify access tokens, as a JWK set
         * @description The public keys that verify access tokens, as a JWK set. No sign-in required.
         */
        get: operations["Jwks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/exchange/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchanges the code of a social sign-in for an API token, once
         * @description Exchanges the code of a social sign-in for an API token, once. Error BAD_REQUEST.
         */
        post: operations["ExchangeAuthCode2"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{provider}/login/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Starts a sign-in with a social provider
         * @description Starts a sign-in with a social provider. Errors NOT_FOUND for an unknown provider, BAD_REQUEST for an unregistered address, RATE_LIMITED above 120 per minute from one client address, UNAVAILABLE if the provider does not respond.
         */
        get: operations["StartSocialSignIn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{provider}/callback/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Completes a sign-in with a social provider
         * @description Completes a sign-in with a social provider; returns the URL to go to, with a code or an error. Error BAD_REQUEST if this browser did not start it.
         */
        get: operations["CompleteSocialSignIn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/register_folder": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Registers a folder
         * @description Registers a folder. Errors: BAD_REQUEST, with `reason` too_many_folders above 10,000, FORBIDDEN for another owner, CONFLICT if it is already registered, RATE_LIMITED for too many changes at once.
         */
        post: operations["RegisterFolder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/list_folders/{base_address}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your registered folders
         * @description Your registered folders. Errors: BAD_REQUEST for an invalid address, FORBIDDEN for another owner.
         */
        get: operations["ListFolders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unregister_folder": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Unregisters a folder and deletes its files
         * @description Unregisters a folder and deletes its files. For seven days `restoreFolder` can restore them; from the next day (UTC) on they are not charged. Errors: BAD_REQUEST, FORBIDDEN for another owner, NOT_FOUND.
         */
        delete: operations["UnregisterFolder"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/upload/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Opens a session to upload a file in chunks, in any order
         * @description Opens a session to upload a file in chunks, in any order. If storage has a price, its stored chunks are charged for each whole day on which it is open. Errors: BAD_REQUEST, FORBIDDEN for another owner, PAYMENT_REQUIRED with `balance_cents` and `required_cents`, RATE_LIMITED with 64 open sessions.
         */
        post: operations["OpenUploadSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/upload/session/{session_id}/chunk/{chunk_index}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Stores a chunk
         * @description Stores a chunk; replaces a chunk with the same index. Errors: BAD_REQUEST, FORBIDDEN, NOT_FOUND, CONFLICT if the session is finalized, INTERNAL with the reason storage_inconsistency.
         */
        put: operations["UploadChunk"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/upload/session/{session_id}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns your upload session and extends it to a day from now
         * @description Returns your upload session and extends it to a day from now. Errors: FORBIDDEN for the session of another owner, NOT_FOUND.
         */
        get: operations["UploadSessionStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/upload/session/{session_id}/finalize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Writes the file when all chunks are stored
         * @description Writes the file when all chunks are stored. A repeated call returns the same result. Errors: BAD_REQUEST, FORBIDDEN, NOT_FOUND, CONFLICT with the current revision, PAYMENT_REQUIRED with `balance_cents` and `required_cents`, INTERNAL with the reason storage_inconsistency.
         */
        post: operations["FinalizeUpload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/upload/session/{session_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Deletes an upload session and its chunks
         * @description Deletes an upload session and its chunks; a finalized file stays. Safe to repeat. Error FORBIDDEN.
         */
        delete: operations["DeleteUploadSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/upload": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stores a file in one request, new or as the next revision
         * @description Stores a file in one request, new or as the next revision. Errors: BAD_REQUEST with `reason` invalid_manifest or stale_sequence, FORBIDDEN for another owner, PAYMENT_REQUIRED with `balance_cents` and `required_cents`, CONFLICT with `current_revision_id` and `current_revision_seq`.
         *
         *     Stores an unencrypted file outside of folders; replaces a file with the same name. For object-store gateways. Errors: BAD_REQUEST, FORBIDDEN for another owner, PAYMENT_REQUIRED.
         */
        post: operations["UploadFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/get_state/{ss58}/{folder_hash}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the files of a folder, ordered by path hash
         * @description Lists the files of a folder, ordered by path hash. Errors: BAD_REQUEST, FORBIDDEN for another owner.
         */
        get: operations["GetState"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/browse/{ss58}/{folder_hash}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists a directory of a synced folder
         * @description Lists a directory of a synced folder; returns an empty list if the directory does not exist. Files without a known path are not listed. Errors: BAD_REQUEST for an invalid address, folder hash, path, page or file type, FORBIDDEN for another owner.
         */
        get: operations["BrowseFolder"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/search_files/{ss58}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Searches the files in all folders of an owner
         * @description Searches the files in all folders of an owner. Errors: BAD_REQUEST with `reason` q_too_long, invalid_file_type or invalid_user_id, FORBIDDEN for another owner.
         */
        get: operations["SearchFiles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/download/{ss58}/{folder_hash}/{file_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The ciphertext of a file that you own
         * @description The ciphertext of a file that you own. Errors: BAD_REQUEST, FORBIDDEN, NOT_FOUND, RANGE_NOT_SATISFIABLE, RATE_LIMITED, UNAVAILABLE, INTERNAL storage_inconsistency.
         */
        get: operations["Download"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/download/{ss58}/{file_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The ciphertext of a file that you own
         * @description The ciphertext of a file that you own. Errors: BAD_REQUEST, FORBIDDEN, NOT_FOUND, RANGE_NOT_SATISFIABLE, RATE_LIMITED, UNAVAILABLE, INTERNAL storage_inconsistency.
         */
        get: operations["Download2"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/delete/{ss58}/{folder_hash}/{file_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Deletes a file
         * @description Deletes a file. Errors: BAD_REQUEST, FORBIDDEN for another owner, NOT_FOUND, also if the file was already deleted.
         */
        delete: operations["DeleteFile"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/delete/{ss58}/{file_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Deletes a file
         * @description Deletes a file. Errors: BAD_REQUEST, FORBIDDEN for another owner, NOT_FOUND, also if the file was already deleted.
         */
        delete: operations["DeleteFile2"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/delete_files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deletes files independently of each other
         * @description Deletes files independently of each other; files that it could not delete in time are among the errors, with the code database_error. Errors: BAD_REQUEST for more than 1000, FORBIDDEN for another owner.
         */
        post: operations["DeleteFiles"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rename_files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Renames files of a folder independently of each other
         * @description Renames files of a folder independently of each other; the stored bytes do not change. Errors: BAD_REQUEST with `reason` batch_too_large or invalid_manifest, FORBIDDEN for another owner.
         */
        post: operations["RenameFiles"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/register_relative_paths/{ss58}/{folder_hash}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Registers the paths of files that were stored without a path, so that they can be browsed and searched
         * @description Registers the paths of files that were stored without a path, so that they can be browsed and searched. Errors: BAD_REQUEST with `reason` batch_too_large, FORBIDDEN for another owner.
         */
        post: operations["RegisterRelativePaths"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/can_upload": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Whether a file of this size can be uploaded now
         * @description Whether a file of this size can be uploaded now. Errors: BAD_REQUEST, FORBIDDEN for another owner.
         */
        post: operations["CanUpload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/list_folder_entries/{ss58}/{folder_hash}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Registered directories of a folder that contain no file
         * @description Registered directories of a folder that contain no file. Errors: BAD_REQUEST, FORBIDDEN for another owner.
         */
        get: operations["FolderEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/get_user_summary/{ss58}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Totals of all files of an owner
         * @description Totals of all files of an owner. Errors: BAD_REQUEST, FORBIDDEN for another owner.
         */
        get: operations["UserSummary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/get_file_type_summary/{ss58}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Number and size of files by type: image, video, audio, document, pdf, archive, code, other
         * @description Number and size of files by type: image, video, audio, document, pdf, archive, code, other. Errors: BAD_REQUEST, FORBIDDEN for another owner.
         */
        get: operations["FileTypeSummary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/get_source_summary/{ss58}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Number and size of files by the kind of client that uploaded them: desktop, console, mobile, other
         * @description Number and size of files by the kind of client that uploaded them: desktop, console, mobile, other. Errors: BAD_REQUEST, FORBIDDEN for another owner.
         */
        get: operations["SourceSummary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description A certificate for your private network, with the files that Nebula needs. */
        CertificateFiles: {
            /**
             * Format: int32
             * @description Id. Does not change on renewal.
             */
            certificate_id: number;
            /** @description Certificates of the trusted authorities, in PEM; two during a rotation. */
            ca: string;
            /** @description The certificate, in PEM. */
            cert: string;
            /** @description The private key, in PEM; null if you supplied your own key. */
            key: string | null;
            /** @description Your IP address in the overlay network. Does not change on renewal. */
            ip: string;
            /** @description Nebula configuration, in YAML. If you supplied your own key, it expects the private key at `/etc/nebula/host.key`. */
            config: string;
        };
        /** @description An encrypted file in a folder, at its current revision. */
        FileEntryWithoutNulls: {
            /** @description 32 bytes: BLAKE3 of the relative path. */
            path_hash: number[];
            /** @description 32 bytes: BLAKE3 of the owner’s address and the plaintext. */
            salted_hash: number[];
            /**
             * Format: uint64
             * @description Bytes before encryption.
             */
            size_bytes: number;
            /**
             * Format: uint64
             * @description Sequence number; increases with every revision.
             */
            revision_seq: number;
            /** @description 32 bytes: revision id, assigned by the server. */
            revision_id: number[];
            /** @description The relative path, encrypted; may be empty. */
            encrypted_path: number[];
            /** @description Plaintext file name; null if the client did not send it. */
            file_name: string | null;
            /** @description Plaintext path, segments separated by `/`; null if the client did not send it. */
            relative_path: string | null;
            /** @description BLAKE3 of the stored ciphertext, hex. */
            store_hash: string | null;
            /** @description BLAKE3 of each stored chunk, hex, in order; null for more than 64 chunks. */
            chunk_hashes: string[] | null;
            /**
             * Format: int64
             * @description When the file was created, in Unix seconds.
             */
            created_at: number;
            /**
             * Format: int64
             * @description When this revision was stored, in Unix seconds.
             */
            updated_at: number;
            /** @description SS58 address of the uploader; null if unknown. */
            uploaded_by?: string;
        };
        FolderRefusal: {
            Error: {
                /** @description The error code, e.g. `not_found`. */
                error: string;
                /** @description The error message, one sentence. */
                message: string;
            };
        };
        /** @description A name and the addresses to which a router resolved it. */
        FoundName: {
            /** @description All IPv4 addresses of the name, at most 16. Addresses reported earlier and missing here are removed. */
            addresses: string[];
            /** @description A name from a `#resolve ` line of the configuration. */
            name: string;
        };
        /** @description A set of peers and resources that policies name as source or destination. */
        GroupRecord: {
            /**
             * Format: int32
             * @description Id of the group; never changes.
             */
            id: number;
            /** @description Unique in the network: 1 to 50 lower-case letters, digits and dashes. */
            label: string;
            /** @description Whether this is the default group, which is created with the network and cannot be renamed or deleted. */
            is_default: boolean;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
        };
        /** @description A machine that the platform runs, attached to a private network. */
        InfraRecord: {
            /**
             * Format: int32
             * @description Id of the enrollment; never changes.
             */
            id: number;
            /** @description Unique among the attached machines of the network. */
            name: string;
            /** @description The VM instance as given; null for a managed gateway. */
            vm_instance: number | string | null;
            /**
             * Format: int32
             * @description Your group that was given when it was attached, while it is in that group.
             */
            group: number | null;
            /**
             * Format: int32
             * @description The peer of the machine; null after the peer is deleted.
             */
            peer: number | null;
            /** @description `never_seen`, `applying`, `in_force` or `stale`, as for its peer; `removed` after the peer is deleted. */
            state: string;
            /**
             * Format: date-time
             * @description When it was attached.
             */
            created_at: string;
        };
        /** @description The signed description of a file to upload. */
        ManifestInput: {
            /** @description Id of the revision that this one replaces; null for a new file. */
            base_revision_id?: (number[] | string) | null;
            /** @description BLAKE3 of the whole ciphertext, 64 hex digits. */
            ciphertext_hash: string;
            /** @description The relative path, encrypted; may be empty. */
            encrypted_path: number[] | string;
            /** @description Plaintext file name, used for search; optional. */
            file_name?: string | null;
            /** @description Folder hash: 16 hex digits. */
            folder_hash: string;
            /** @description 32 bytes: BLAKE3 of the relative path; identifies the file in its folder. */
            path_hash: number[] | string;
            /** @description Plaintext path in the folder, used to browse; segments are separated by `/`. */
            relative_path?: string | null;
            /**
             * Format: uint64
             * @description Sequence number of the revision; must be greater than that of the current revision.
             */
            revision_seq: number | string;
            /** @description 32 bytes: BLAKE3 of the owner’s address and the plaintext. */
            salted_hash: number[] | string;
            /** @description 64 bytes: Ed25519 signature of the message that contains `ciphertextHash`. */
            signature: number[] | string;
            /** @description 32 bytes: Ed25519 public key that verifies the signature. */
            signing_key: number[] | string;
            /**
             * Format: uint64
             * @description Bytes before encryption, at most 2^63 - 1.
             */
            size_bytes: number | string;
            /** @description Kind of client that uploads: desktop, console, mobile, … */
            source?: string | null;
            /** @description SS58 address of the owner; must be your own. */
            ss58_address: string;
            /**
             * Format: int64
             * @description Time of the upload by the clock of the device, in Unix seconds.
             */
            timestamp: number | string;
        };
        /** @description A set of resources that the same routers make reachable. */
        NetworkRecord: {
            /**
             * Format: int32
             * @description Id of the network; never changes.
             */
            id: number;
            /** @description Unique among your networks. */
            name: string;
            /** @description Description of the network. */
            description: string | null;
            /** @description Whether this is the default network, which is created with the tenant and cannot be deleted. */
            is_default: boolean;
            /** @description Its routers, oldest first. */
            routers: number[];
            /** @description Its resources, oldest first. */
            resources: number[];
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
        };
        /** @description A machine of a private network. */
        PeerRecord: {
            /**
             * Format: int32
             * @description Id of the peer; never changes.
             */
            id: number;
            /** @description Any text of 1 to 100 characters. */
            label: string;
            /** @description Its overlay address. It changes only where a NetBird server assigns the addresses of machines. */
            ip: string;
            /**
             * @description `never_seen` until the machine joins, `applying` until it runs its current configuration, `in_force` when it does, `stale` when it was not seen for 90 s or did not apply a change within 60 s.
             * @enum {string}
             */
            status: "applying" | "in_force" | "never_seen" | "stale";
            /** @description Your groups that contain the peer: at least one, except for machines of the platform. */
            groups: number[];
            /** @description The order ticket of the VM, as given at enrollment. */
            vm_ticket_ref: string | null;
            /**
             * Format: date-time
             * @description When the machine last joined, sent a report, requested its configuration or was connected to a NetBird server.
             */
            last_seen: string | null;
            /** @description SHA-256 of the configuration that the machine reports as running. */
            applied: string | null;
            /**
             * Format: date-time
             * @description When it was enrolled.
             */
            created_at: string;
        };
        PlatformRefusal: {
            /** @description The error message, one sentence. */
            error: string;
        };
        /** @description A rule for traffic from one group to another: an edge of the topology. */
        PolicyRecord: {
            /**
             * Format: int32
             * @description Never changes; the edge is `policy:<id>`.
             */
            id: number;
            /** @description Defaults to `<source>-to-<destination>`. */
            name: string;
            /**
             * Format: int32
             * @description The group the traffic comes from.
             */
            source_group: number;
            /**
             * Format: int32
             * @description The group the traffic goes to.
             */
            dest_group: number;
            /**
             * @description Defaults to `all`.
             * @enum {string}
             */
            protocol: "all" | "icmp" | "tcp" | "udp";
            /** @description Destination ports, `80` or `8000-8100`. Empty: every port. */
            ports: string[];
            /** @description Whether the policy also applies from destination to source. Default: true. */
            bidirectional: boolean;
            /**
             * @description Defaults to `accept`.
             * @enum {string}
             */
            action: "accept" | "drop";
            /** @description Whether the policy is in effect. Default: true. */
            enabled: boolean;
            /** @description Whether the platform created the policy, which is then read-only. */
            is_managed: boolean;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
        };
        /** @description Notification preferences of a user. */
        PreferenceRecord: {
            /** @description Whether to send notifications by e-mail as well; needs a confirmed address. */
            email_enabled: boolean;
            /** @description Whether to notify when credits fall below a level. */
            low_credit_alerts: boolean;
            /** @description Whether to notify when credits are used up. */
            zero_balance_alerts: boolean;
            /** @description Whether to notify about changes of files. */
            file_status_updates: boolean;
            /** @description Whether to notify about news and offers; off by default. */
            marketing_emails: boolean;
        };
        /** @description A file and its path. */
        RelativePathInput: {
            /** @description File id: path hash, 64 hex digits. */
            path_hash: string;
            /** @description Path of the file, segments separated by `/`. */
            relative_path: string;
        };
        /** @description A file and its new path. */
        RenameInput: {
            /** @description 32 bytes: id of the current revision. */
            base_revision_id?: (number[] | string) | null;
            /** @description New relative path, encrypted; may be empty. */
            new_encrypted_path?: (number[] | string) | null;
            /** @description New plaintext file name, used for search. */
            new_file_name?: string | null;
            /** @description 32 bytes: new path hash. */
            new_path_hash: number[] | string;
            /** @description New plaintext path, used to browse. */
            new_relative_path?: string | null;
            /** @description 32 bytes: current path hash. */
            old_path_hash: number[] | string;
        };
        /** @description A destination behind the routers of a network. */
        ResourceRecord: {
            /**
             * Format: int32
             * @description Id of the resource; never changes.
             */
            id: number;
            /**
             * Format: int32
             * @description The network of the resource.
             */
            network: number;
            /** @description Unique in the network. */
            name: string;
            /** @description An IP address, a CIDR or a domain, in canonical form. */
            address: string;
            /**
             * @description The type of the address.
             * @enum {string}
             */
            kind: "domain" | "host" | "subnet";
            /** @description Whether the resource is in effect. A disabled resource is shown but cannot be reached. */
            enabled: boolean;
            /** @description The groups that contain the resource. Policies with these groups as destination apply to it. */
            groups: number[];
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
        };
        /** @description A peer that routes packets to the resources of a network, from its first join on. */
        RouterRecord: {
            /**
             * Format: int32
             * @description Id of the router; never changes.
             */
            id: number;
            /**
             * Format: int32
             * @description The network that it routes to.
             */
            network: number;
            /**
             * Format: int32
             * @description The peer.
             */
            peer: number;
            /** @description Whether packets to resources get the router’s address as their source. Default: true. */
            masquerade: boolean;
            /**
             * Format: int32
             * @description 1 to 9999; the router with the lowest metric is used. Default: 9999.
             */
            metric: number;
            /** @description Whether the router is in effect. While it is disabled, the router with the next metric is used. */
            enabled: boolean;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
        };
        /** @description A subscription that grants credits in every billing cycle. */
        SubscriptionRecord: {
            /**
             * Format: int32
             * @description Stable id.
             */
            id: number;
            /** @description Id at the payment processor. */
            payproc_subscription_id: string;
            /**
             * Format: int32
             * @description The subscriber.
             */
            user_id: number;
            /** @description SS58 address of the subscriber. */
            substrate_address: string | null;
            /** @description E.g. active, trialing, past_due, canceled. */
            status: string;
            /** @description Name of the plan; empty for an unknown plan. */
            plan_name: string;
            /** @description Price id of the plan. */
            price_id: string;
            /** @description Amount per billing cycle, in the currency. */
            amount: number;
            /** @description Currency code, lower case. */
            currency: string;
            /** @description `day`, `week`, `month` or `year`. */
            interval: string;
            /**
             * Format: int32
             * @description Number of intervals in a billing cycle.
             */
            interval_count: number;
            /**
             * Format: int32
             * @description Credits granted per billing cycle.
             */
            credits_per_billing: number;
            /**
             * Format: date-time
             * @description Start of the current billing cycle.
             */
            current_period_start: string | null;
            /**
             * Format: date-time
             * @description End of the current billing cycle.
             */
            current_period_end: string | null;
            /** @description Whether it ends with the current billing cycle. */
            cancel_at_period_end: boolean;
            /**
             * Format: date-time
             * @description When the subscription started.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
            /**
             * Format: date-time
             * @description When it ended; null while active.
             */
            ended_at: string | null;
        };
        /** @description The private network of a user. */
        TenantSummary: {
            /**
             * Format: int32
             * @description Id of the private network; never changes.
             */
            id: number;
            /** @description `active`. */
            status: string;
            /**
             * Format: int32
             * @description The default group, to which new peers belong unless another group is given.
             */
            default_group: number;
            /**
             * Format: int32
             * @description The default network, created with the tenant.
             */
            default_network: number;
            /** @description The address range of its peers, a CIDR in 100.64.0.0/10. */
            address_range: string;
            /** @description The number of objects of each type. */
            counts: {
                /**
                 * Format: int32
                 * @description Number of groups, including the default group.
                 */
                groups: number;
                /**
                 * Format: int32
                 * @description Number of networks, including the default network.
                 */
                networks: number;
                /**
                 * Format: int32
                 * @description Number of resources.
                 */
                resources: number;
                /**
                 * Format: int32
                 * @description Number of routers.
                 */
                routers: number;
                /**
                 * Format: int32
                 * @description Number of peers, including peers whose machines have not joined.
                 */
                peers: number;
                /**
                 * Format: int32
                 * @description Number of policies, including the managed policy.
                 */
                policies: number;
            };
            /**
             * Format: date-time
             * @description When it was provisioned.
             */
            created_at: string;
        };
        /** @description A pair of tokens: an access token for requests and a refresh token for the next pair. */
        TokenPair: {
            /** @description JWT, EdDSA, of the type `JWT`; send it as `Authorization: Bearer <token>`. */
            access_token: string;
            /** @description JWT, EdDSA, of the type `refresh+jwt`: can be exchanged once for the next pair. Only this platform accepts it, by its stored record; it is not an access token. */
            refresh_token: string;
            /**
             * Format: int32
             * @description Lifetime of the access token in seconds.
             */
            expires_in: number;
            /** @description Always Bearer. */
            token_type: string;
            /** @description The highest role, lower case; `user` without a role. */
            role: string;
            /** @description The scope of the token: always `platform`, the whole API. */
            scope: string;
        };
        /** @description A payment for credits, by card or in crypto. */
        TransactionRow: {
            /** @description A UUID. */
            id: string;
            /** @description The name of the payment processor, or `crypto`. */
            payment_type: string;
            /** @description Amount in the currency. */
            amount: number;
            /** @description USD, USDC, USDT or TAO. */
            currency: string;
            /**
             * Format: int32
             * @description Whole credits granted, rounded down; the balance also includes fractions.
             */
            credits: number;
            /**
             * @description `pending`, then `payment_confirmed`, then `completed`; or `failed`, `expired`, `refunded`, `disputed`. `failed` and `expired` change to `completed` if the payment arrives later, e.g. when a renewal is retried; `refunded` and `disputed` if a refund fails or a dispute is won.
             * @enum {string}
             */
            status: "completed" | "disputed" | "expired" | "failed" | "payment_confirmed" | "pending" | "refunded";
            /**
             * Format: date-time
             * @description When the transaction was created.
             */
            created_at: string;
        };
        /** @description A virtual machine. */
        VmInstanceDetail: {
            /**
             * Format: int32
             * @description Unique id. Never changes and is never reused.
             */
            id: number;
            /** @description Uuid. Accepted in place of the id. */
            uuid: string;
            /** @description Its host name. */
            name: string;
            /**
             * @description Current lifecycle state.
             * @enum {string}
             */
            status: "failed" | "pending" | "rebooting" | "running" | "spawning" | "starting" | "stopped" | "stopping" | "terminated" | "terminating";
            /** @description Its size. */
            flavor: {
                /** @description Name of the flavor. */
                name: string;
                /**
                 * Format: int32
                 * @description Virtual CPUs.
                 */
                cpu_cores: number;
                /**
                 * Format: int32
                 * @description Memory in MiB.
                 */
                memory_mb: number;
                /**
                 * Format: int32
                 * @description Disk size in GiB.
                 */
                disk_gb: number;
            };
            /** @description Name of its image. */
            image: string;
            /** @description Name of its application, if any. */
            application: string | null;
            /**
             * @description Health of that application, checked every minute; null if it has no health check or the machine does not run.
             * @enum {string|null}
             */
            application_health: "healthy" | "unhealthy" | "waiting" | null;
            /** @description Public IP address; null until it has one. */
            public_ip: string | null;
            /**
             * Format: int32
             * @description SSH port at that address, usually 22. The user name is `cloud`.
             */
            ssh_port: number;
            /** @description IP address in the overlay network; null until it has one. */
            nebula_ip: string | null;
            /** @description All its addresses. */
            ip_addresses: string[];
            /** @description SSH public key of the user who may sign in. */
            ssh_public_key: string;
            /** @description Why it failed, why the platform stopped it, or why it could not be started or rebooted. */
            error_message: string | null;
            /** @description Its cost and billing state. */
            billing: {
                /**
                 * @description Whether it costs credits now.
                 * @enum {string}
                 */
                state: "charging" | "empty" | "ended" | "low" | "stopped" | "waiting";
                /** @description Price of an hour of running, in credits, fixed when the machine was created. */
                credits_per_hour: string;
                /** @description Price of an hour while stopped, in credits, fixed when the machine was created; 0: free. Charged from the stop until the machine runs again. */
                stopped_credits_per_hour: string;
                /** @description Credits charged so far, settled every minute: running and stopped seconds, each at its price. */
                charged_so_far: string;
                /**
                 * Format: int32
                 * @description Seconds it has run, rounded down.
                 */
                ran_seconds: number;
                /**
                 * Format: int32
                 * @description Seconds it was stopped at a price, rounded down. Unpaid seconds are not counted.
                 */
                stopped_seconds: number;
                /**
                 * Format: int32
                 * @description You receive a warning when your credits pay for fewer minutes than this of all your machines.
                 */
                warning_minutes: number;
                /**
                 * Format: date-time
                 * @description When your credits run out if all your machines continue as now; null while this machine costs nothing or when that time is too far ahead.
                 */
                empty_at: string | null;
            };
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    ExchangeAuthCode: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "code": "code"
                 *     }
                 */
                "application/json": {
                    /** @description The code; valid for two minutes. */
                    code: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "token": "arch_…",
                     *       "user": {
                     *         "id": 1,
                     *         "username": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
                     *         "email": "user@example.org",
                     *         "substrate_address": "5GmS1wtCfR4tK5SSgnZbVT4kYw5W8NmxmijcsxCQE6oLW6A8"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description API token; send it as `Authorization: Token <token>`. Valid for 30 days. */
                        token: string;
                        /** @description The signed-in user. */
                        user: {
                            /**
                             * Format: int32
                             * @description Id of the user.
                             */
                            id: number;
                            /** @description Unique name of the user. */
                            username: string;
                            /** @description The verified e-mail address of the account; empty without one. */
                            email: string;
                            /** @description SS58 address; null until a wallet is linked. */
                            substrate_address: string | null;
                        };
                    };
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The body did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
        };
    };
    RequestChallenge: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "address": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
                 *       "substrate_address": "5GmS1wtCfR4tK5SSgnZbVT4kYw5W8NmxmijcsxCQE6oLW6A8"
                 *     }
                 */
                "application/json": {
                    /** @description Ethereum address. */
                    address: string;
                    /** @description SS58 address, network 42. */
                    substrate_address: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "challenge": "challenge",
                     *       "message": "The error message, one sentence.",
                     *       "expires_in": 300
                     *     }
                     */
                    "application/json": {
                        /** @description Id of the challenge, for verification. */
                        challenge: string;
                        /** @description EIP-4361 text; sign its UTF-8 bytes with the Ethereum key according to EIP-191. */
                        message: string;
                        /**
                         * Format: int32
                         * @description Seconds until it expires.
                         */
                        expires_in: number;
                    };
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The body did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Too many requests; `Retry-After` has the seconds to wait. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
        };
    };
    MasterToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "access_token": "access_token",
                     *       "refresh_token": "refresh_token",
                     *       "expires_in": 300,
                     *       "token_type": "token_type",
                     *       "role": "role",
                     *       "scope": "scope"
                     *     }
                     */
                    "application/json": components["schemas"]["TokenPair"];
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Too many requests; `Retry-After` has the seconds to wait. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
        };
    };
    RefreshMasterToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "refresh_token": "refresh_token"
                 *     }
                 */
                "application/json": {
                    /** @description The latest refresh token of the session. */
                    refresh_token: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "access_token": "access_token",
                     *       "refresh_token": "refresh_token",
                     *       "expires_in": 300,
                     *       "token_type": "token_type",
                     *       "role": "role",
                     *       "scope": "scope"
                     *     }
                     */
                    "application/json": components["schemas"]["TokenPair"];
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The body did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Too many requests; `Retry-After` has the seconds to wait. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
        };
    };
    VerifyToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "arch_…"
                 *     }
                 */
                "application/json": {
                    /** @description The API token to verify. */
                    token: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "valid": true,
                     *       "user_id": 1,
                     *       "username": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
                     *       "substrate_address": "5GmS1wtCfR4tK5SSgnZbVT4kYw5W8NmxmijcsxCQE6oLW6A8"
                     *     }
                     */
                    "application/json": {
                        /** @description Always true; an unknown token returns an error. */
                        valid: boolean;
                        /**
                         * Format: int32
                         * @description The id of the user; null for a service token.
                         */
                        user_id: number | null;
                        /** @description The name of the user or of the service. */
                        username: string;
                        /** @description SS58 address of the user; null if the user has none. */
                        substrate_address: string | null;
                    };
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The resource does not exist, or belongs to another user. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The body did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
        };
    };
    SignIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "signature": "0x1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b",
                 *       "address": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
                 *       "substrate_address": "5GmS1wtCfR4tK5SSgnZbVT4kYw5W8NmxmijcsxCQE6oLW6A8",
                 *       "challenge": "0b0a8a3e-52a2-4f3d-9f0e-6a6c1f7d2a11"
                 *     }
                 */
                "application/json": {
                    /** @description Signature of `message` by the Ethereum key: 0x, r, s, v. */
                    signature: string;
                    /** @description The same value as in the challenge. */
                    address: string;
                    /** @description The same value as in the challenge. */
                    substrate_address: string;
                    /** @description Id of the challenge; default: any open challenge of both addresses. */
                    challenge?: string | null;
                    /** @description Signature of `message` by the SS58 key; proves ownership of that address. */
                    substrate_signature?: string | null;
                    /** @description Referral code; only used for new users. */
                    referral_code?: string | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "token": "arch_…",
                     *       "user_id": 1,
                     *       "username": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
                     *       "substrate_address": "5GmS1wtCfR4tK5SSgnZbVT4kYw5W8NmxmijcsxCQE6oLW6A8",
                     *       "is_new": true
                     *     }
                     */
                    "application/json": {
                        /** @description API token; send it as `Authorization: Token <token>`. Valid for 30 days. */
                        token: string;
                        /**
                         * Format: int32
                         * @description Stable id; never reused.
                         */
                        user_id: number;
                        /** @description Unique name; the checksummed Ethereum address for users who signed in with a wallet. */
                        username: string;
                        /** @description SS58 address, network 42; it owns the user’s files and folders. */
                        substrate_address: string | null;
                        /** @description Whether this sign-in created the account. */
                        is_new: boolean;
                    };
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The body did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Too many requests; `Retry-After` has the seconds to wait. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
        };
    };
    OwnCreditBalance: {
        parameters: {
            query?: {
                /**
                 * @description SS58 address of the account; default: your account.
                 * @example 5GmS1wtCfR4tK5SSgnZbVT4kYw5W8NmxmijcsxCQE6oLW6A8
                 */
                account_ss58?: string;
                /**
                 * @description Page number, starting at 1. Default 1.
                 * @example 1
                 */
                page?: number;
                /**
                 * @description Page size: default 50, maximum 200.
                 * @example 20
                 */
                page_size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "balance": "25",
                     *       "last_updated": "2026-11-21T07:57:57.379Z"
                     *     }
                     */
                    "application/json": {
                        /** @description Credits as an exact decimal. */
                        balance: string;
                        /**
                         * Format: date-time
                         * @description When the balance last changed.
                         */
                        last_updated: string;
                    } | {
                        /** @description Credits as an exact decimal. */
                        balance: string;
                        /**
                         * Format: date-time
                         * @description When the balance last changed.
                         */
                        last_updated: string;
                        /** @description SS58 address of the owner; null for a user without one. */
                        account_ss58?: string;
                    } | {
                        /**
                         * Format: int32
                         * @description Number of items on all pages.
                         */
                        count: number;
                        /**
                         * Format: uri
                         * @description The next page; null on the last.
                         */
                        next: string | null;
                        /**
                         * Format: uri
                         * @description The previous page; null on the first.
                         */
                        previous: string | null;
                        /** @description Balances, oldest account first. */
                        results: {
                            /** @description Credits as an exact decimal. */
                            balance: string;
                            /**
                             * Format: date-time
                             * @description When the balance last changed.
                             */
                            last_updated: string;
                            /** @description SS58 address of the account. */
                            account_ss58: string;
                        }[];
                    };
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The resource does not exist, or belongs to another user. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
        };
    };
    SubstrateAddresses: {
        parameters: {
            query?: {
                /**
                 * @description Returns only addresses that contain this text; case-insensitive.
                 * @example notes
                 */
                search?: string;
                /**
                 * @description A field name; prefix it with - for descending order. Has no effect: a user has at most one address.
                 * @example -created_at
                 */
                ordering?: string;
                /**
                 * @description Page number, starting at 1. Default 1.
                 * @example 1
                 */
                page?: number;
                /**
                 * @description Page size: default 50, maximum 200.
                 * @example 20
                 */
                page_size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "count": 1,
                     *       "next": "https://cloud.example/?page=2",
                     *       "previous": "https://cloud.example/?page=2",
                     *       "results": [
                     *         {
                     *           "id": "0b0a8a3e-52a2-4f3d-9f0e-6a6c1f7d2a11",
                     *           "address": "5GmS1wtCfR4tK5SSgnZbVT4kYw5W8NmxmijcsxCQE6oLW6A8",
                     *           "is_verified": true,
                     *           "created_at": "2026-11-21T07:57:57.379Z"
                     *         }
                     *       ],
                     *       "ss58_address": "5GmS1wtCfR4tK5SSgnZbVT4kYw5W8NmxmijcsxCQE6oLW6A8"
                     *     }
                     */
                    "application/json": {
                        /**
                         * Format: int32
                         * @description Number of items on all pages.
                         */
                        count: number;
                        /**
                         * Format: uri
                         * @description The next page; null on the last.
                         */
                        next: string | null;
                        /**
                         * Format: uri
                         * @description The previous page; null on the first.
                         */
                        previous: string | null;
                        /** @description Addresses on this page. */
                        results: {
                            /** @description The address itself; it identifies one account. */
                            id: string;
                            /** @description SS58, network 42. */
                            address: string;
                            /** @description Whether ownership is proved by a signature of its key; otherwise the address is only claimed. */
                            is_verified: boolean;
                            /**
                             * Format: date-time
                             * @description When the account was created.
                             */
                            created_at: string;
                        }[];
                        /** @description Your SS58 address, whether or not the search matches it; null if you have none. */
                        ss58_address: string | null;
                    };
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
        };
    };
    SubstrateAddress: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the address.
                 * @example 0b0a8a3e-52a2-4f3d-9f0e-6a6c1f7d2a11
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0b0a8a3e-52a2-4f3d-9f0e-6a6c1f7d2a11",
                     *       "address": "5GmS1wtCfR4tK5SSgnZbVT4kYw5W8NmxmijcsxCQE6oLW6A8",
                     *       "is_verified": true,
                     *       "created_at": "2026-11-21T07:57:57.379Z"
                     *     }
                     */
                    "application/json": {
                        /** @description The address itself; it identifies one account. */
                        id: string;
                        /** @description SS58, network 42. */
                        address: string;
                        /** @description Whether ownership is proved by a signature of its key; otherwise the address is only claimed. */
                        is_verified: boolean;
                        /**
                         * Format: date-time
                         * @description When the account was created.
                         */
                        created_at: string;
                    };
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The resource does not exist, or belongs to another user. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
        };
    };
    RecordUsage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "account_ss58": "5GmS1wtCfR4tK5SSgnZbVT4kYw5W8NmxmijcsxCQE6oLW6A8",
                 *       "period_start": "2026-11-21T00:00:00.000Z",
                 *       "period_end": "2026-11-22T00:00:00.000Z",
                 *       "storage_bytes": 1
                 *     }
                 */
                "application/json": {
                    /** @description SS58 address of the account. Also accepted as `ss58_address`. */
                    account_ss58: string;
                    /**
                     * Format: date-time
                     * @description Start of the period, ISO 8601.
                     */
                    period_start: string;
                    /**
                     * Format: date-time
                     * @description End of the period, after its start.
                     */
                    period_end: string;
                    /**
                     * Format: int64
                     * @description Bytes stored in the period, 0 or more.
                     */
                    storage_bytes: number | string;
                };
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0b0a8a3e-52a2-4f3d-9f0e-6a6c1f7d2a11",
                     *       "account_ss58": "5GmS1wtCfR4tK5SSgnZbVT4kYw5W8NmxmijcsxCQE6oLW6A8",
                     *       "period_start": "2026-11-21T00:00:00.000Z",
                     *       "period_end": "2026-11-22T00:00:00.000Z",
                     *       "storage_bytes": 1,
                     *       "created_at": "2026-11-21T07:57:57.379Z",
                     *       "updated_at": "2026-11-21T07:57:57.379Z"
                     *     }
                     */
                    "application/json": {
                        /**
                         * Format: int64
                         * @description Stable id; never reused.
                         */
                        id: number | string;
                        /** @description SS58 address of the account. */
                        account_ss58: string | null;
                        /**
                         * Format: date-time
                         * @description Start of the period.
                         */
                        period_start: string;
                        /**
                         * Format: date-time
                         * @description End of the period.
                         */
                        period_end: string;
                        /**
                         * Format: int64
                         * @description Bytes stored in the period: a number up to 2^53 - 1, a string above.
                         */
                        storage_bytes: number | string;
                        /**
                         * Format: date-time
                         * @description When the record was created.
                         */
                        created_at: string;
                        /**
                         * Format: date-time
                         * @description When the record was last updated.
                         */
                        updated_at: string;
                    };
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The resource does not exist, or belongs to another user. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The body did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
        };
    };
    LatestTokenPrice: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "price_usd": "312.5",
                     *       "block_number": 1,
                     *       "created_at": "2026-11-21T07:57:57.379Z"
                     *     }
                     */
                    "application/json": {
                        /** @description Price of one token in US dollars. */
                        price_usd: string;
                        /**
                         * Format: int32
                         * @description Block number of the price.
                         */
                        block_number: number;
                        /**
                         * Format: date-time
                         * @description When the price was recorded.
                         */
                        created_at: string;
                    };
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The resource does not exist, or belongs to another user. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
        };
    };
    ActiveSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "subscription": {
                     *         "id": "0b0a8a3e-52a2-4f3d-9f0e-6a6c1f7d2a11",
                     *         "status": "status",
                     *         "plan_name": "plan_name",
                     *         "amount": 20,
                     *         "currency": "USD",
                     *         "interval": "interval",
                     *         "current_period_start": "2026-11-21T07:57:57.379Z",
                     *         "current_period_end": "2026-11-21T07:57:57.379Z",
                     *         "cancel_at_period_end": true,
                     *         "credits_per_billing": 1
                     *       },
                     *       "has_subscription": true,
                     *       "message": "The error message, one sentence."
                     *     }
                     */
                    "application/json": {
                        /** @description The subscription; null without one. */
                        subscription: {
                            /** @description Id at the payment processor. */
                            id: string;
                            /** @description E.g. active, trialing, past_due, canceled. */
                            status: string;
                            /** @description Name of the plan; empty for an unknown plan. */
                            plan_name: string;
                            /** @description Amount per billing cycle, in the currency. */
                            amount: number;
                            /** @description Currency code, lower case. */
                            currency: string;
                            /** @description `day`, `week`, `month` or `year`. */
                            interval: string;
                            /**
                             * Format: date-time
                             * @description Start of the current billing cycle.
                             */
                            current_period_start: string | null;
                            /**
                             * Format: date-time
                             * @description End of the current billing cycle.
                             */
                            current_period_end: string | null;
                            /** @description Whether it ends with the current billing cycle. */
                            cancel_at_period_end: boolean;
                            /**
                             * Format: int32
                             * @description Credits granted per billing cycle.
                             */
                            credits_per_billing: number;
                        } | null;
                        /** @description Whether you have a subscription. */
                        has_subscription: boolean;
                        /** @description A hint if you have no subscription; else null. */
                        message?: string;
                    };
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description A part of the platform is not available at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
        };
    };
    CreateCheckoutSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "amount": 20,
                 *       "success_url": "https://console.example/billing?checkout=success",
                 *       "cancel_url": "https://console.example/billing"
                 *     }
                 */
                "application/json": {
                    /** @description US dollars, 20 to 10000, at most 2 decimal places. */
                    amount: string | number;
                    /** @description URL to return to after the payment. */
                    success_url?: string | null;
                    /** @description URL to return to if the payer cancels. */
                    cancel_url?: string | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "checkout_url": "https://checkout.example/c/pay/cs_1"
                     *     }
                     */
                    "application/json": {
                        /** @description URL of the page for the payer; null if the page is closed. */
                        checkout_url: string | null;
                    };
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The body did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Too many requests; `Retry-After` has the seconds to wait. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description A part of the platform is not available at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
        };
    };
    CreatePayment: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "payment_type": "onetime",
                 *       "amount": 20,
                 *       "success_url": "https://console.example/billing?checkout=success",
                 *       "cancel_url": "https://console.example/billing"
                 *     }
                 */
                "application/json": {
                    /** @description Required: `subscription` or `onetime`. */
                    payment_type?: string | null;
                    /** @description Required for onetime: US dollars, 20 to 10000. */
                    amount?: string | number | null;
                    /** @description URL to return to after the payment. */
                    success_url?: string | null;
                    /** @description URL to return to if the payer cancels. */
                    cancel_url?: string | null;
                    /** @description Required for a subscription: the price id of the plan. */
                    price_id?: string | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "checkout_url": "https://checkout.example/c/pay/cs_1"
                     *     }
                     */
                    "application/json": {
                        /** @description URL of the page for the payer; null if the page is closed. */
                        checkout_url: string | null;
                    } | {
                        /** @description URL of the page for the payer; null if the page is closed. */
                        checkout_url: string | null;
                        /** @description Id of the checkout session at the payment processor. */
                        session_id: string | null;
                    };
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The body did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Too many requests; `Retry-After` has the seconds to wait. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description A part of the platform is not available at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
        };
    };
    CreateSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "price_id": "price_SandboxPlusMonth00001",
                 *       "payment_method_types": [
                 *         "card"
                 *       ],
                 *       "success_url": "https://console.example/billing?checkout=success",
                 *       "cancel_url": "https://console.example/billing"
                 *     }
                 */
                "application/json": {
                    /** @description Required: the price id of the plan. */
                    price_id: string;
                    /** @description Payment methods, at most 5; default: card. */
                    payment_method_types?: string[] | null;
                    /** @description URL to return to after the payment. */
                    success_url?: string | null;
                    /** @description URL to return to if the payer cancels. */
                    cancel_url?: string | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "checkout_url": "https://checkout.example/c/pay/cs_1",
                     *       "session_id": "8f14e45fceea167a5a36dedd4bea2543"
                     *     }
                     */
                    "application/json": {
                        /** @description URL of the page for the payer; null if the page is closed. */
                        checkout_url: string | null;
                        /** @description Id of the checkout session at the payment processor. */
                        session_id: string | null;
                    };
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The body did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Too many requests; `Retry-After` has the seconds to wait. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description A part of the platform is not available at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
        };
    };
    OpenCustomerPortal: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "return_url": "https://console.example/billing"
                 *     }
                 */
                "application/json": {
                    /** @description URL to return to from the portal. */
                    return_url?: string | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "portal_url": "portal_url"
                     *     }
                     */
                    "application/json": {
                        /** @description URL for the user; valid for a few minutes. */
                        portal_url: string;
                    };
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The body did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Too many requests; `Retry-After` has the seconds to wait. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description A part of the platform is not available at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
        };
    };
    SubscriptionPlans: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "plans": [
                     *         {
                     *           "id": "0b0a8a3e-52a2-4f3d-9f0e-6a6c1f7d2a11",
                     *           "name": "first",
                     *           "description": "description",
                     *           "price_id": "price_SandboxPlusMonth00001",
                     *           "currency": "USD",
                     *           "amount": 20,
                     *           "interval": "interval",
                     *           "interval_count": 1,
                     *           "credits_per_billing": 1
                     *         }
                     *       ],
                     *       "recommendation": "recommendation"
                     *     }
                     */
                    "application/json": {
                        /** @description Plans, cheapest first. */
                        plans: {
                            /** @description Id of the product at the payment processor. */
                            id: string;
                            /** @description Shown to users. */
                            name: string;
                            /** @description Shown to users; may be empty. */
                            description: string;
                            /** @description Price id to subscribe with; starts with price_. */
                            price_id: string;
                            /** @description Currency code, lower case. */
                            currency: string;
                            /** @description Amount per billing cycle, in the currency. */
                            amount: number;
                            /** @description `day`, `week`, `month` or `year`. */
                            interval: string;
                            /**
                             * Format: int32
                             * @description Number of intervals in a billing cycle.
                             */
                            interval_count: number;
                            /**
                             * Format: int32
                             * @description Credits granted per billing cycle.
                             */
                            credits_per_billing: number;
                        }[];
                        /** @description A recommendation for choosing a plan. */
                        recommendation: string;
                    };
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description A part of the platform is not available at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
        };
    };
    ReceiveWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The signature header.
                 * @example stripe-signature
                 */
                "stripe-signature"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_1"
                 *     }
                 */
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "received": true
                     *     }
                     */
                    "application/json": {
                        /** @description Always true; failures return an error. */
                        received: boolean;
                    };
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The body did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description A part of the platform is not available at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
        };
    };
    CreditSubscriptions: {
        parameters: {
            query?: {
                /**
                 * @description Returns only subscriptions with this status.
                 * @example status
                 */
                status?: string;
                /**
                 * @description Returns only the subscription with this id at the payment processor.
                 * @example payproc_subscription_id
                 */
                payproc_subscription_id?: string;
                /**
                 * @description Search text: part of a user name, an address, a plan or an id.
                 * @example notes
                 */
                search?: string;
                /**
                 * @description Field name as in REST; prefix it with - for descending order. Unknown names are ignored.
                 * @example -created_at
                 */
                ordering?: string;
                /**
                 * @description Page number, starting at 1. Default 1.
                 * @example 1
                 */
                page?: number;
                /**
                 * @description Page size: default 50, maximum 200.
                 * @example 20
                 */
                page_size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "count": 1,
                     *       "next": "https://cloud.example/?page=2",
                     *       "previous": "https://cloud.example/?page=2",
                     *       "results": [
                     *         {
                     *           "id": 1,
                     *           "payproc_subscription_id": "payproc_subscription_id",
                     *           "user_id": 1,
                     *           "substrate_address": "5GmS1wtCfR4tK5SSgnZbVT4kYw5W8NmxmijcsxCQE6oLW6A8",
                     *           "status": "status",
                     *           "plan_name": "plan_name",
                     *           "price_id": "price_SandboxPlusMonth00001",
                     *           "amount": 20,
                     *           "currency": "USD",
                     *           "interval": "interval",
                     *           "interval_count": 1,
                     *           "credits_per_billing": 1,
                     *           "current_period_start": "2026-11-21T07:57:57.379Z",
                     *           "current_period_end": "2026-11-21T07:57:57.379Z",
                     *           "cancel_at_period_end": true,
                     *           "created_at": "2026-11-21T07:57:57.379Z",
                     *           "updated_at": "2026-11-21T07:57:57.379Z",
                     *           "ended_at": "2026-11-21T07:57:57.379Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /**
                         * Format: int32
                         * @description Number of items on all pages.
                         */
                        count: number;
                        /**
                         * Format: uri
                         * @description The next page; null on the last.
                         */
                        next: string | null;
                        /**
                         * Format: uri
                         * @description The previous page; null on the first.
                         */
                        previous: string | null;
                        /** @description Items on this page, newest first by default. */
                        results: components["schemas"]["SubscriptionRecord"][];
                    };
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
        };
    };
    CreditSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the subscription.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 1,
                     *       "payproc_subscription_id": "payproc_subscription_id",
                     *       "user_id": 1,
                     *       "substrate_address": "5GmS1wtCfR4tK5SSgnZbVT4kYw5W8NmxmijcsxCQE6oLW6A8",
                     *       "status": "status",
                     *       "plan_name": "plan_name",
                     *       "price_id": "price_SandboxPlusMonth00001",
                     *       "amount": 20,
                     *       "currency": "USD",
                     *       "interval": "interval",
                     *       "interval_count": 1,
                     *       "credits_per_billing": 1,
                     *       "current_period_start": "2026-11-21T07:57:57.379Z",
                     *       "current_period_end": "2026-11-21T07:57:57.379Z",
                     *       "cancel_at_period_end": true,
                     *       "created_at": "2026-11-21T07:57:57.379Z",
                     *       "updated_at": "2026-11-21T07:57:57.379Z",
                     *       "ended_at": "2026-11-21T07:57:57.379Z"
                     *     }
                     */
                    "application/json": components["schemas"]["SubscriptionRecord"];
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The resource does not exist, or belongs to another user. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
        };
    };
    Transactions: {
        parameters: {
            query?: {
                /**
                 * @description Search text: part of an id, a status, a currency, …
                 * @example notes
                 */
                search?: string;
                /**
                 * @description Field name as in REST; prefix it with - for descending order. Unknown names are ignored.
                 * @example -created_at
                 */
                ordering?: string;
                /**
                 * @description Page number, starting at 1. Default 1.
                 * @example 1
                 */
                page?: number;
                /**
                 * @description Page size: default 50, maximum 200.
                 * @example 20
                 */
                page_size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "0b0a8a3e-52a2-4f3d-9f0e-6a6c1f7d2a11",
                     *         "payment_type": "payproc",
                     *         "amount": 20,
                     *         "currency": "USD",
                     *         "credits": 20,
                     *         "status": "completed",
                     *         "created_at": "2026-11-21T07:57:57.379Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["TransactionRow"][] | {
                        /**
                         * Format: int32
                         * @description Number of items on all pages.
                         */
                        count: number;
                        /**
                         * Format: uri
                         * @description The next page; null on the last.
                         */
                        next: string | null;
                        /**
                         * Format: uri
                         * @description The previous page; null on the first.
                         */
                        previous: string | null;
                        /** @description Items on this page, newest first by default. */
                        results: components["schemas"]["TransactionRow"][];
                    };
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
        };
    };
    CreateTransaction: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "payment_type": "payproc",
                 *       "amount": 20,
                 *       "currency": "USD"
                 *     }
                 */
                "application/json": {
                    /** @description `payproc` or `crypto`. */
                    payment_type: string;
                    /** @description Amount in the currency; at least 20 US dollars in value. */
                    amount: string | number;
                    /** @description USD for card payments; USDC, USDT or TAO for crypto payments. */
                    currency: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0b0a8a3e-52a2-4f3d-9f0e-6a6c1f7d2a11",
                     *       "payment_type": "payproc",
                     *       "amount": 20,
                     *       "currency": "USD",
                     *       "credits": 20,
                     *       "status": "completed",
                     *       "created_at": "2026-11-21T07:57:57.379Z",
                     *       "payment_address": "payment_address",
                     *       "client_secret": "client_secret"
                     *     }
                     */
                    "application/json": {
                        /** @description A UUID. */
                        id: string;
                        /** @description The name of the payment processor, or `crypto`. */
                        payment_type: string;
                        /** @description Amount in the currency. */
                        amount: number;
                        /** @description USD, USDC, USDT or TAO. */
                        currency: string;
                        /**
                         * Format: int32
                         * @description Whole credits granted, rounded down; the balance also includes fractions.
                         */
                        credits: number;
                        /**
                         * @description `pending`, then `payment_confirmed`, then `completed`; or `failed`, `expired`, `refunded`, `disputed`. `failed` and `expired` change to `completed` if the payment arrives later, e.g. when a renewal is retried; `refunded` and `disputed` if a refund fails or a dispute is won.
                         * @enum {string}
                         */
                        status: "completed" | "disputed" | "expired" | "failed" | "payment_confirmed" | "pending" | "refunded";
                        /**
                         * Format: date-time
                         * @description When the transaction was created.
                         */
                        created_at: string;
                        /** @description Deposit address; null for card payments. */
                        payment_address?: string;
                        /** @description Client secret to confirm a card payment; returned only once, on creation. */
                        client_secret?: string;
                    };
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The body did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Too many requests; `Retry-After` has the seconds to wait. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description A part of the platform is not available at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
        };
    };
    Transaction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A UUID.
                 * @example 0b0a8a3e-52a2-4f3d-9f0e-6a6c1f7d2a11
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0b0a8a3e-52a2-4f3d-9f0e-6a6c1f7d2a11",
                     *       "payment_type": "payproc",
                     *       "amount": 20,
                     *       "currency": "USD",
                     *       "credits": 20,
                     *       "status": "completed",
                     *       "created_at": "2026-11-21T07:57:57.379Z",
                     *       "completed_at": "2026-11-21T07:57:57.379Z",
                     *       "substrate_block_number": 1,
                     *       "substrate_success": true
                     *     }
                     */
                    "application/json": {
                        /** @description A UUID. */
                        id: string;
                        /** @description The name of the payment processor, or `crypto`. */
                        payment_type: string;
                        /** @description Amount in the currency. */
                        amount: number;
                        /** @description USD, USDC, USDT or TAO. */
                        currency: string;
                        /**
                         * Format: int32
                         * @description Whole credits granted, rounded down; the balance also includes fractions.
                         */
                        credits: number;
                        /**
                         * @description `pending`, then `payment_confirmed`, then `completed`; or `failed`, `expired`, `refunded`, `disputed`. `failed` and `expired` change to `completed` if the payment arrives later, e.g. when a renewal is retried; `refunded` and `disputed` if a refund fails or a dispute is won.
                         * @enum {string}
                         */
                        status: "completed" | "disputed" | "expired" | "failed" | "payment_confirmed" | "pending" | "refunded";
                        /**
                         * Format: date-time
                         * @description When the transaction was created.
                         */
                        created_at: string;
                        /**
                         * Format: date-time
                         * @description When the credits were granted.
                         */
                        completed_at: string | null;
                        /**
                         * Format: int32
                         * @description Block number of a crypto payment.
                         */
                        substrate_block_number: number | null;
                        /** @description Whether the credits were granted; null while pending. */
                        substrate_success: boolean | null;
                    };
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The resource does not exist, or belongs to another user. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
        };
    };
    VmApplications: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": 1,
                     *         "name": "first",
                     *         "slug": "slug",
                     *         "description": "description",
                     *         "logo_url": "logo_url"
                     *       }
                     *     ]
                     */
                    "application/json": {
                        /**
                         * Format: int32
                         * @description Unique id. Never changes and is never reused.
                         */
                        id: number;
                        /** @description Display name, unique. */
                        name: string;
                        /** @description Unique: lower-case letters, digits and dashes. */
                        slug: string;
                        /** @description Description of what it does. */
                        description: string;
                        /** @description Absolute http or https URL of its logo. */
                        logo_url: string | null;
                    }[];
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
        };
    };
    VmFlavors: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": 1,
                     *         "name": "first",
                     *         "display_name": "display_name",
                     *         "cpu_cores": 1,
                     *         "memory_mb": 1,
                     *         "data_disk_gb": 1,
                     *         "credits_per_hour": 0.008,
                     *         "description": "description"
                     *       }
                     *     ]
                     */
                    "application/json": {
                        /**
                         * Format: int32
                         * @description Unique id. Never changes and is never reused.
                         */
                        id: number;
                        /** @description Unique: lower-case letters, digits and dashes. */
                        name: string;
                        /** @description Display name. */
                        display_name: string;
                        /**
                         * Format: int32
                         * @description Virtual CPUs.
                         */
                        cpu_cores: number;
                        /**
                         * Format: int32
                         * @description Memory in MiB.
                         */
                        memory_mb: number;
                        /**
                         * Format: int32
                         * @description Disk size in GiB.
                         */
                        data_disk_gb: number;
                        /** @description Price of an hour of running, in credits. */
                        credits_per_hour: number;
                        /** @description Description of its use. */
                        description: string | null;
                    }[];
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
        };
    };
    VmImages: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": 1,
                     *         "name": "first",
                     *         "slug": "slug",
                     *         "description": "description"
                     *       }
                     *     ]
                     */
                    "application/json": {
                        /**
                         * Format: int32
                         * @description Unique id. Never changes and is never reused.
                         */
                        id: number;
                        /** @description Display name, unique. Begins with the distribution, by which clients group images. */
                        name: string;
                        /** @description Unique: lower-case letters, digits and dashes. */
                        slug: string;
                        /** @description Description of its content. */
                        description: string;
                    }[];
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
        };
    };
    VmInstances: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": 1,
                     *         "uuid": "0b0a8a3e-52a2-4f3d-9f0e-6a6c1f7d2a11",
                     *         "name": "first",
                     *         "status": "failed",
                     *         "flavor": "flavor",
                     *         "image": "Debian 13",
                     *         "public_ip": "public_ip",
                     *         "nebula_ip": "nebula_ip",
                     *         "created_at": "2026-11-21T07:57:57.379Z"
                     *       }
                     *     ]
                     */
                    "application/json": {
                        /**
                         * Format: int32
                         * @description Unique id. Never changes and is never reused.
                         */
                        id: number;
                        /** @description Uuid. Accepted in place of the id. */
                        uuid: string;
                        /** @description Its host name. */
                        name: string;
                        /**
                         * @description Current lifecycle state.
                         * @enum {string}
                         */
                        status: "failed" | "pending" | "rebooting" | "running" | "spawning" | "starting" | "stopped" | "stopping" | "terminated" | "terminating";
                        /** @description Name of its flavor. */
                        flavor: string;
                        /** @description Name of its image. */
                        image: string;
                        /** @description Public IP address; null until it has one. */
                        public_ip: string | null;
                        /** @description IP address in the overlay network; null until it has one. */
                        nebula_ip: string | null;
                        /**
                         * Format: date-time
                         * @description When it was created.
                         */
                        created_at: string;
                    }[];
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
        };
    };
    VmInstance: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id or uuid of the machine.
                 * @example 1
                 */
                instance_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 1,
                     *       "uuid": "0b0a8a3e-52a2-4f3d-9f0e-6a6c1f7d2a11",
                     *       "name": "first",
                     *       "status": "failed",
                     *       "flavor": {
                     *         "name": "first",
                     *         "cpu_cores": 1,
                     *         "memory_mb": 1,
                     *         "disk_gb": 1
                     *       },
                     *       "image": "Debian 13",
                     *       "application": "application",
                     *       "application_health": "healthy",
                     *       "public_ip": "public_ip",
                     *       "ssh_port": 1,
                     *       "nebula_ip": "nebula_ip",
                     *       "ip_addresses": [
                     *         "ip_addresses"
                     *       ],
                     *       "ssh_public_key": "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBUCK03P0zkGKd37WIoNKmENnlL9yUnj5un54pbltu+R user@host",
                     *       "error_message": "error_message",
                     *       "billing": {
                     *         "state": "charging",
                     *         "credits_per_hour": "1",
                     *         "stopped_credits_per_hour": "1",
                     *         "charged_so_far": "1",
                     *         "ran_seconds": 1,
                     *         "stopped_seconds": 1,
                     *         "warning_minutes": 1,
                     *         "empty_at": "2026-11-21T07:57:57.379Z"
                     *       },
                     *       "created_at": "2026-11-21T07:57:57.379Z",
                     *       "updated_at": "2026-11-21T07:57:57.379Z"
                     *     }
                     */
                    "application/json": components["schemas"]["VmInstanceDetail"];
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The resource does not exist, or belongs to another user. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
        };
    };
    RebootVm: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id or uuid of the machine.
                 * @example 1
                 */
                instance_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 1,
                     *       "uuid": "0b0a8a3e-52a2-4f3d-9f0e-6a6c1f7d2a11",
                     *       "name": "first",
                     *       "status": "failed",
                     *       "flavor": {
                     *         "name": "first",
                     *         "cpu_cores": 1,
                     *         "memory_mb": 1,
                     *         "disk_gb": 1
                     *       },
                     *       "image": "Debian 13",
                     *       "application": "application",
                     *       "application_health": "healthy",
                     *       "public_ip": "public_ip",
                     *       "ssh_port": 1,
                     *       "nebula_ip": "nebula_ip",
                     *       "ip_addresses": [
                     *         "ip_addresses"
                     *       ],
                     *       "ssh_public_key": "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBUCK03P0zkGKd37WIoNKmENnlL9yUnj5un54pbltu+R user@host",
                     *       "error_message": "error_message",
                     *       "billing": {
                     *         "state": "charging",
                     *         "credits_per_hour": "1",
                     *         "stopped_credits_per_hour": "1",
                     *         "charged_so_far": "1",
                     *         "ran_seconds": 1,
                     *         "stopped_seconds": 1,
                     *         "warning_minutes": 1,
                     *         "empty_at": "2026-11-21T07:57:57.379Z"
                     *       },
                     *       "created_at": "2026-11-21T07:57:57.379Z",
                     *       "updated_at": "2026-11-21T07:57:57.379Z"
                     *     }
                     */
                    "application/json": components["schemas"]["VmInstanceDetail"];
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The resource does not exist, or belongs to another user. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The current state of the resource does not allow this. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
        };
    };
    StartVm: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id or uuid of the machine.
                 * @example 1
                 */
                instance_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 1,
                     *       "uuid": "0b0a8a3e-52a2-4f3d-9f0e-6a6c1f7d2a11",
                     *       "name": "first",
                     *       "status": "failed",
                     *       "flavor": {
                     *         "name": "first",
                     *         "cpu_cores": 1,
                     *         "memory_mb": 1,
                     *         "disk_gb": 1
                     *       },
                     *       "image": "Debian 13",
                     *       "application": "application",
                     *       "application_health": "healthy",
                     *       "public_ip": "public_ip",
                     *       "ssh_port": 1,
                     *       "nebula_ip": "nebula_ip",
                     *       "ip_addresses": [
                     *         "ip_addresses"
                     *       ],
                     *       "ssh_public_key": "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBUCK03P0zkGKd37WIoNKmENnlL9yUnj5un54pbltu+R user@host",
                     *       "error_message": "error_message",
                     *       "billing": {
                     *         "state": "charging",
                     *         "credits_per_hour": "1",
                     *         "stopped_credits_per_hour": "1",
                     *         "charged_so_far": "1",
                     *         "ran_seconds": 1,
                     *         "stopped_seconds": 1,
                     *         "warning_minutes": 1,
                     *         "empty_at": "2026-11-21T07:57:57.379Z"
                     *       },
                     *       "created_at": "2026-11-21T07:57:57.379Z",
                     *       "updated_at": "2026-11-21T07:57:57.379Z"
                     *     }
                     */
                    "application/json": components["schemas"]["VmInstanceDetail"];
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The balance has too few credits. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The resource does not exist, or belongs to another user. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The current state of the resource does not allow this. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
        };
    };
    StopVm: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id or uuid of the machine.
                 * @example 1
                 */
                instance_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 1,
                     *       "uuid": "0b0a8a3e-52a2-4f3d-9f0e-6a6c1f7d2a11",
                     *       "name": "first",
                     *       "status": "failed",
                     *       "flavor": {
                     *         "name": "first",
                     *         "cpu_cores": 1,
                     *         "memory_mb": 1,
                     *         "disk_gb": 1
                     *       },
                     *       "image": "Debian 13",
                     *       "application": "application",
                     *       "application_health": "healthy",
                     *       "public_ip": "public_ip",
                     *       "ssh_port": 1,
                     *       "nebula_ip": "nebula_ip",
                     *       "ip_addresses": [
                     *         "ip_addresses"
                     *       ],
                     *       "ssh_public_key": "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBUCK03P0zkGKd37WIoNKmENnlL9yUnj5un54pbltu+R user@host",
                     *       "error_message": "error_message",
                     *       "billing": {
                     *         "state": "charging",
                     *         "credits_per_hour": "1",
                     *         "stopped_credits_per_hour": "1",
                     *         "charged_so_far": "1",
                     *         "ran_seconds": 1,
                     *         "stopped_seconds": 1,
                     *         "warning_minutes": 1,
                     *         "empty_at": "2026-11-21T07:57:57.379Z"
                     *       },
                     *       "created_at": "2026-11-21T07:57:57.379Z",
                     *       "updated_at": "2026-11-21T07:57:57.379Z"
                     *     }
                     */
                    "application/json": components["schemas"]["VmInstanceDetail"];
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The resource does not exist, or belongs to another user. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The current state of the resource does not allow this. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
        };
    };
    TerminateVm: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id or uuid of the machine.
                 * @example 1
                 */
                instance_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 1,
                     *       "uuid": "0b0a8a3e-52a2-4f3d-9f0e-6a6c1f7d2a11",
                     *       "name": "first",
                     *       "status": "failed",
                     *       "flavor": {
                     *         "name": "first",
                     *         "cpu_cores": 1,
                     *         "memory_mb": 1,
                     *         "disk_gb": 1
                     *       },
                     *       "image": "Debian 13",
                     *       "application": "application",
                     *       "application_health": "healthy",
                     *       "public_ip": "public_ip",
                     *       "ssh_port": 1,
                     *       "nebula_ip": "nebula_ip",
                     *       "ip_addresses": [
                     *         "ip_addresses"
                     *       ],
                     *       "ssh_public_key": "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBUCK03P0zkGKd37WIoNKmENnlL9yUnj5un54pbltu+R user@host",
                     *       "error_message": "error_message",
                     *       "billing": {
                     *         "state": "charging",
                     *         "credits_per_hour": "1",
                     *         "stopped_credits_per_hour": "1",
                     *         "charged_so_far": "1",
                     *         "ran_seconds": 1,
                     *         "stopped_seconds": 1,
                     *         "warning_minutes": 1,
                     *         "empty_at": "2026-11-21T07:57:57.379Z"
                     *       },
                     *       "created_at": "2026-11-21T07:57:57.379Z",
                     *       "updated_at": "2026-11-21T07:57:57.379Z"
                     *     }
                     */
                    "application/json": components["schemas"]["VmInstanceDetail"];
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The resource does not exist, or belongs to another user. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
        };
    };
    SpawnVm: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Idempotency key, 1 to 255 printable ASCII characters. Repeating a request with the same key returns the same machine.
                 * @example idempotency-key
                 */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "flavor_id": 1,
                 *       "image_id": 1,
                 *       "ssh_public_key": "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBUCK03P0zkGKd37WIoNKmENnlL9yUnj5un54pbltu+R user@host",
                 *       "application_id": 1,
                 *       "name": "first",
                 *       "join_network": false
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: int32
                     * @description Id of an available flavor.
                     */
                    flavor_id: number;
                    /**
                     * Format: int32
                     * @description Id of an available image.
                     */
                    image_id: number;
                    /** @description An OpenSSH public key: ed25519, RSA of at least 2048 bits, ECDSA on a NIST curve, or sk- forms. */
                    ssh_public_key: string;
                    /**
                     * Format: int32
                     * @description Id of an available application to install at the first boot.
                     */
                    application_id?: number | null;
                    /** @description Name, at most 63 characters. The host name is made from its letters, digits and dashes. Omitted: flavor name and id. */
                    name?: string | null;
                    /**
                     * @description Whether it joins your private network at its first boot. The network must be provisioned before.
                     * @default false
                     */
                    join_network?: boolean | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 1,
                     *       "uuid": "0b0a8a3e-52a2-4f3d-9f0e-6a6c1f7d2a11",
                     *       "name": "first",
                     *       "status": "failed",
                     *       "flavor": {
                     *         "name": "first",
                     *         "cpu_cores": 1,
                     *         "memory_mb": 1,
                     *         "disk_gb": 1
                     *       },
                     *       "image": "Debian 13",
                     *       "application": "application",
                     *       "application_health": "healthy",
                     *       "public_ip": "public_ip",
                     *       "ssh_port": 1,
                     *       "nebula_ip": "nebula_ip",
                     *       "ip_addresses": [
                     *         "ip_addresses"
                     *       ],
                     *       "ssh_public_key": "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBUCK03P0zkGKd37WIoNKmENnlL9yUnj5un54pbltu+R user@host",
                     *       "error_message": "error_message",
                     *       "billing": {
                     *         "state": "charging",
                     *         "credits_per_hour": "1",
                     *         "stopped_credits_per_hour": "1",
                     *         "charged_so_far": "1",
                     *         "ran_seconds": 1,
                     *         "stopped_seconds": 1,
                     *         "warning_minutes": 1,
                     *         "empty_at": "2026-11-21T07:57:57.379Z"
                     *       },
                     *       "created_at": "2026-11-21T07:57:57.379Z",
                     *       "updated_at": "2026-11-21T07:57:57.379Z",
                     *       "flavor_id": 1,
                     *       "image_id": 1,
                     *       "created": "2026-11-21T07:57:57.379Z"
                     *     }
                     */
                    "application/json": {
                        /**
                         * Format: int32
                         * @description Unique id. Never changes and is never reused.
                         */
                        id: number;
                        /** @description Uuid. Accepted in place of the id. */
                        uuid: string;
                        /** @description Its host name. */
                        name: string;
                        /**
                         * @description Current lifecycle state.
                         * @enum {string}
                         */
                        status: "failed" | "pending" | "rebooting" | "running" | "spawning" | "starting" | "stopped" | "stopping" | "terminated" | "terminating";
                        /** @description Its size. */
                        flavor: {
                            /** @description Name of the flavor. */
                            name: string;
                            /**
                             * Format: int32
                             * @description Virtual CPUs.
                             */
                            cpu_cores: number;
                            /**
                             * Format: int32
                             * @description Memory in MiB.
                             */
                            memory_mb: number;
                            /**
                             * Format: int32
                             * @description Disk size in GiB.
                             */
                            disk_gb: number;
                        };
                        /** @description Name of its image. */
                        image: string;
                        /** @description Name of its application, if any. */
                        application: string | null;
                        /**
                         * @description Health of that application, checked every minute; null if it has no health check or the machine does not run.
                         * @enum {string|null}
                         */
                        application_health: "healthy" | "unhealthy" | "waiting" | null;
                        /** @description Public IP address; null until it has one. */
                        public_ip: string | null;
                        /**
                         * Format: int32
                         * @description SSH port at that address, usually 22. The user name is `cloud`.
                         */
                        ssh_port: number;
                        /** @description IP address in the overlay network; null until it has one. */
                        nebula_ip: string | null;
                        /** @description All its addresses. */
                        ip_addresses: string[];
                        /** @description SSH public key of the user who may sign in. */
                        ssh_public_key: string;
                        /** @description Why it failed, why the platform stopped it, or why it could not be started or rebooted. */
                        error_message: string | null;
                        /** @description Its cost and billing state. */
                        billing: {
                            /**
                             * @description Whether it costs credits now.
                             * @enum {string}
                             */
                            state: "charging" | "empty" | "ended" | "low" | "stopped" | "waiting";
                            /** @description Price of an hour of running, in credits, fixed when the machine was created. */
                            credits_per_hour: string;
                            /** @description Price of an hour while stopped, in credits, fixed when the machine was created; 0: free. Charged from the stop until the machine runs again. */
                            stopped_credits_per_hour: string;
                            /** @description Credits charged so far, settled every minute: running and stopped seconds, each at its price. */
                            charged_so_far: string;
                            /**
                             * Format: int32
                             * @description Seconds it has run, rounded down.
                             */
                            ran_seconds: number;
                            /**
                             * Format: int32
                             * @description Seconds it was stopped at a price, rounded down. Unpaid seconds are not counted.
                             */
                            stopped_seconds: number;
                            /**
                             * Format: int32
                             * @description You receive a warning when your credits pay for fewer minutes than this of all your machines.
                             */
                            warning_minutes: number;
                            /**
                             * Format: date-time
                             * @description When your credits run out if all your machines continue as now; null while this machine costs nothing or when that time is too far ahead.
                             */
                            empty_at: string | null;
                        };
                        /**
                         * Format: date-time
                         * @description When it was created.
                         */
                        created_at: string;
                        /**
                         * Format: date-time
                         * @description When it last changed.
                         */
                        updated_at: string;
                        /**
                         * Format: int32
                         * @description Id of its flavor.
                         */
                        flavor_id: number;
                        /**
                         * Format: int32
                         * @description Id of its image.
                         */
                        image_id: number;
                        /**
                         * Format: date-time
                         * @description When it was created.
                         */
                        created: string;
                    };
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The balance has too few credits. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The body did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The current state of the resource does not allow this. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
        };
    };
    Models: {
        parameters: {
            query?: {
                /**
                 * @description Filter: this format, exactly.
                 * @example format
                 */
                format?: string;
                /**
                 * @description Filter: this architecture, exactly.
                 * @example architecture
                 */
                architecture?: string;
                /**
                 * @description Filter: this quantization, exactly.
                 * @example int4
                 */
                quantization?: string;
                /**
                 * @description Filter: minimum number of parameters. Excludes models with an unknown number.
                 * @example 1
                 */
                min_params?: number | string;
                /**
                 * @description Filter: maximum number of parameters. Excludes models with an unknown number.
                 * @example 1
                 */
                max_params?: number | string;
                /**
                 * @description Search words. All must occur in the name, family, title or format of a version. Case does not matter.
                 * @example notes
                 */
                q?: string;
                /**
                 * @description Filter: only models of your own projects.
                 * @example true
                 */
                mine?: boolean;
                /**
                 * @description Page number, starting at 1 (default).
                 * @example 1
                 */
                page?: number;
                /**
                 * @description Page size: default 25, at most 200.
                 * @example 20
                 */
                page_size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "results": [
                     *         {
                     *           "project": "models",
                     *           "repo": "llama",
                     *           "format": "format",
                     *           "architecture": "architecture",
                     *           "parameter_count": 1,
                     *           "quantization": "int4",
                     *           "total_size_bytes": 4000000000,
                     *           "is_mine": true,
                     *           "is_public": true
                     *         }
                     *       ],
                     *       "total": 1
                     *     }
                     */
                    "application/json": {
                        /** @description The models of the page. */
                        results: {
                            /** @description First part of the repository name; `_` if the name has only one part. */
                            project: string;
                            /** @description The rest of the repository name. */
                            repo: string;
                            /** @description File format of the weights, e.g. gguf; null: unknown. */
                            format: string | null;
                            /** @description Architecture, e.g. llama or transformer; null: unknown. */
                            architecture: string | null;
                            /**
                             * Format: int64
                             * @description Number of parameters; null: unknown.
                             */
                            parameter_count: number | string | null;
                            /** @description Quantization of the weights, e.g. int4 or bf16; null: unknown. */
                            quantization: string | null;
                            /**
                             * Format: int64
                             * @description Total size of its files in bytes.
                             */
                            total_size_bytes: number | string;
                            /** @description Whether you own the project. */
                            is_mine: boolean;
                            /** @description Whether the project is public. A private project is visible only to its owner. */
                            is_public: boolean;
                        }[];
                        /**
                         * Format: int32
                         * @description Number of models on all pages.
                         */
                        total: number;
                    };
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
        };
    };
    ModelFormats: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "formats": [
                     *         "formats"
                     *       ],
                     *       "architectures": [
                     *         "architectures"
                     *       ],
                     *       "quantizations": [
                     *         "quantizations"
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @description Formats, in alphabetical order. */
                        formats: string[];
                        /** @description Architectures, in alphabetical order. */
                        architectures: string[];
                        /** @description Quantizations, in alphabetical order. */
                        quantizations: string[];
                    };
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
        };
    };
    ModelVersions: {
        parameters: {
            query?: {
                /**
                 * @description Page number, starting at 1 (default).
                 * @example 1
                 */
                page?: number;
                /**
                 * @description Page size: default 25, at most 200.
                 * @example 20
                 */
                page_size?: number;
            };
            header?: never;
            path: {
                /**
                 * @description First part of the repository name; `_` if the name has only one part.
                 * @example models
                 */
                project: string;
                /**
                 * @description The rest of the repository name.
                 * @example llama
                 */
                repo: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "artifacts": [
                     *         {
                     *           "digest": "sha256:b3c1f0a9d2e47586f0a1b2c3d4e5f60718293a4b5c6d7e8f9a0b1c2d3e4f5061",
                     *           "primary_tag": "primary_tag",
                     *           "all_tags": [
                     *             "all_tags"
                     *           ],
                     *           "total_size_bytes": 4000000000,
                     *           "parameter_count": 1,
                     *           "indexed_at": "2026-11-21T07:57:57.379Z",
                     *           "format": "format",
                     *           "architecture": "architecture",
                     *           "quantization": "int4"
                     *         }
                     *       ],
                     *       "total": 1
                     *     }
                     */
                    "application/json": {
                        /** @description The versions of the page. */
                        artifacts: {
                            /** @description Digest of the manifest: `sha256:` and 64 hex digits. Never changes. */
                            digest: string;
                            /** @description The most specific of its tags; null: it has no tag any more. */
                            primary_tag: string | null;
                            /** @description Its tags, the most specific first, at most 1,000. */
                            all_tags: string[];
                            /**
                             * Format: int64
                             * @description Total size of its files in bytes.
                             */
                            total_size_bytes: number | string;
                            /**
                             * Format: int64
                             * @description Number of parameters; null: unknown.
                             */
                            parameter_count: number | string | null;
                            /**
                             * Format: date-time
                             * @description When it was first indexed.
                             */
                            indexed_at: string;
                            /** @description File format of the weights, e.g. gguf; null: unknown. */
                            format: string | null;
                            /** @description Architecture, e.g. llama or transformer; null: unknown. */
                            architecture: string | null;
                            /** @description Quantization of the weights, e.g. int4 or bf16; null: unknown. */
                            quantization: string | null;
                        }[];
                        /**
                         * Format: int32
                         * @description Number of versions on all pages.
                         */
                        total: number;
                    };
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The resource does not exist, or belongs to another user. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
        };
    };
    ModelVersion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description First part of the repository name; `_` if the name has only one part.
                 * @example models
                 */
                project: string;
                /**
                 * @description The rest of the repository name.
                 * @example llama
                 */
                repo: string;
                /**
                 * @description A tag or a digest.
                 * @example latest
                 */
                reference: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "project": "models",
                     *       "repo": "llama",
                     *       "digest": "sha256:b3c1f0a9d2e47586f0a1b2c3d4e5f60718293a4b5c6d7e8f9a0b1c2d3e4f5061",
                     *       "primary_tag": "primary_tag",
                     *       "all_tags": [
                     *         "all_tags"
                     *       ],
                     *       "format": "format",
                     *       "architecture": "architecture",
                     *       "parameter_count": 1,
                     *       "quantization": "int4",
                     *       "total_size_bytes": 4000000000,
                     *       "indexed_at": "2026-11-21T07:57:57.379Z",
                     *       "files": [
                     *         {
                     *           "filename": "model.gguf",
                     *           "format": "format",
                     *           "size_bytes": 4096
                     *         }
                     *       ],
                     *       "pull_command": "pull_command"
                     *     }
                     */
                    "application/json": {
                        /** @description First part of the repository name. */
                        project: string;
                        /** @description The rest of the repository name. */
                        repo: string;
                        /** @description Digest of the manifest: `sha256:` and 64 hex digits. Never changes. */
                        digest: string;
                        /** @description The most specific of its tags; null: it has no tag any more. */
                        primary_tag: string | null;
                        /** @description Its tags, the most specific first, at most 1,000. */
                        all_tags: string[];
                        /** @description File format of the weights, e.g. gguf; null: unknown. */
                        format: string | null;
                        /** @description Architecture, e.g. llama or transformer; null: unknown. */
                        architecture: string | null;
                        /**
                         * Format: int64
                         * @description Number of parameters; null: unknown.
                         */
                        parameter_count: number | string | null;
                        /** @description Quantization of the weights, e.g. int4 or bf16; null: unknown. */
                        quantization: string | null;
                        /**
                         * Format: int64
                         * @description Total size of its files in bytes.
                         */
                        total_size_bytes: number | string;
                        /**
                         * Format: date-time
                         * @description When it was first indexed.
                         */
                        indexed_at: string;
                        /** @description Its files in the order of the manifest, at most the first 1,000. */
                        files: {
                            /** @description Path of the file, or its digest if it has no name. */
                            filename: string;
                            /** @description File format from its name or media type; null: unknown. */
                            format: string | null;
                            /**
                             * Format: int64
                             * @description Size in bytes.
                             */
                            size_bytes: number | string;
                        }[];
                        /** @description A command that downloads it. For a version pushed in chunks it needs the Python package `hippius_hub`. */
                        pull_command: string;
                    };
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The resource does not exist, or belongs to another user. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
        };
    };
    ReceiveRegistryEvents: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `Bearer` followed by the token of the registry.
                 * @example authorization
                 */
                authorization?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_1"
                 *     }
                 */
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "accepted": 1
                     *     }
                     */
                    "application/json": {
                        /**
                         * Format: int32
                         * @description Number of manifests that will be checked.
                         */
                        accepted: number;
                    };
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The body did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description A part of the platform is not available at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
        };
    };
    OverlayCertificate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "certificate_id": 1,
                     *       "ca": "-----BEGIN NEBULA CERTIFICATE-----\n…\n-----END NEBULA CERTIFICATE-----\n",
                     *       "cert": "-----BEGIN NEBULA CERTIFICATE-----\n…\n-----END NEBULA CERTIFICATE-----\n",
                     *       "key": "-----BEGIN NEBULA X25519 PRIVATE KEY-----\n…\n-----END NEBULA X25519 PRIVATE KEY-----\n",
                     *       "ip": "100.64.0.2",
                     *       "config": "pki:\n  ca: …\n",
                     *       "is_active": true,
                     *       "expires_at": "2026-11-21T07:57:57.379Z",
                     *       "created_at": "2026-11-21T07:57:57.379Z"
                     *     }
                     */
                    "application/json": {
                        /**
                         * Format: int32
                         * @description Id. Does not change on renewal.
                         */
                        certificate_id: number;
                        /** @description Certificates of the trusted authorities, in PEM; two during a rotation. */
                        ca: string;
                        /** @description The certificate, in PEM. */
                        cert: string;
                        /** @description The private key, in PEM; null if you supplied your own key. */
                        key: string | null;
                        /** @description Your IP address in the overlay network. Does not change on renewal. */
                        ip: string;
                        /** @description Nebula configuration, in YAML. If you supplied your own key, it expects the private key at `/etc/nebula/host.key`. */
                        config: string;
                        /** @description Whether it is valid now. */
                        is_active: boolean;
                        /**
                         * Format: date-time
                         * @description When it expires, or when its authority is no longer trusted.
                         */
                        expires_at: string;
                        /**
                         * Format: date-time
                         * @description When it was first requested.
                         */
                        created_at: string;
                    };
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The resource does not exist, or belongs to another user. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description A part of the platform is not available at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
        };
    };
    RequestCertificate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "public_key": "oTjcn+g85c9UD5KNTiS31ZyKHKyetaPzJdJvBSLaFj0="
                 *     }
                 */
                "application/json": {
                    /** @description Your own x25519 public key: PEM as written by `nebula-cert keygen`, or 32 bytes in base64 or hex. The platform then never has your private key. */
                    public_key?: string | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "certificate_id": 1,
                     *       "ca": "-----BEGIN NEBULA CERTIFICATE-----\n…\n-----END NEBULA CERTIFICATE-----\n",
                     *       "cert": "-----BEGIN NEBULA CERTIFICATE-----\n…\n-----END NEBULA CERTIFICATE-----\n",
                     *       "key": "-----BEGIN NEBULA X25519 PRIVATE KEY-----\n…\n-----END NEBULA X25519 PRIVATE KEY-----\n",
                     *       "ip": "100.64.0.2",
                     *       "config": "pki:\n  ca: …\n"
                     *     }
                     */
                    "application/json": components["schemas"]["CertificateFiles"];
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The balance has too few credits. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The body did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The current state of the resource does not allow this. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Too many requests; `Retry-After` has the seconds to wait. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description A part of the platform is not available at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
        };
    };
    RenewCertificate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "public_key": "oTjcn+g85c9UD5KNTiS31ZyKHKyetaPzJdJvBSLaFj0="
                 *     }
                 */
                "application/json": {
                    /** @description Your own x25519 public key: PEM as written by `nebula-cert keygen`, or 32 bytes in base64 or hex. The platform then never has your private key. */
                    public_key?: string | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "certificate_id": 1,
                     *       "ca": "-----BEGIN NEBULA CERTIFICATE-----\n…\n-----END NEBULA CERTIFICATE-----\n",
                     *       "cert": "-----BEGIN NEBULA CERTIFICATE-----\n…\n-----END NEBULA CERTIFICATE-----\n",
                     *       "key": "-----BEGIN NEBULA X25519 PRIVATE KEY-----\n…\n-----END NEBULA X25519 PRIVATE KEY-----\n",
                     *       "ip": "100.64.0.2",
                     *       "config": "pki:\n  ca: …\n"
                     *     }
                     */
                    "application/json": components["schemas"]["CertificateFiles"];
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The resource does not exist, or belongs to another user. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The body did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The current state of the resource does not allow this. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description A part of the platform is not available at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
        };
    };
    ObjectStoreAcl: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "bucket": "bucket",
                     *         "sub_tokens": [
                     *           {
                     *             "id": 1,
                     *             "name": "first",
                     *             "access_key_id": "access_key_id",
                     *             "actions": [
                     *               "read"
                     *             ],
                     *             "prefixes": [
                     *               "prefixes"
                     *             ],
                     *             "status": "active",
                     *             "expires_at": "2026-11-21T07:57:57.379Z"
                     *           }
                     *         ]
                     *       }
                     *     ]
                     */
                    "application/json": {
                        /** @description The bucket. */
                        bucket: string;
                        /** @description Sub-tokens that are not revoked, ordered by id. */
                        sub_tokens: {
                            /**
                             * Format: int32
                             * @description The sub-token.
                             */
                            id: number;
                            /** @description The name you gave it. */
                            name: string;
                            /** @description Access key id for the object store (S3). */
                            access_key_id: string;
                            /** @description Allowed actions, at least one. */
                            actions: ("read" | "write")[];
                            /** @description Allowed key prefixes. Empty: every key. */
                            prefixes: string[];
                            /**
                             * @description Current status.
                             * @enum {string}
                             */
                            status: "active" | "disabled" | "expired" | "revoked";
                            /**
                             * Format: date-time
                             * @description When it or one of its parents expires, whichever is first; null: never.
                             */
                            expires_at: string | null;
                        }[];
                    }[];
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
        };
    };
    ProvisionTenant: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 1,
                     *       "status": "status",
                     *       "default_group": 1,
                     *       "default_network": 1,
                     *       "address_range": "100.64.0.0/21",
                     *       "counts": {
                     *         "groups": 1,
                     *         "networks": 1,
                     *         "resources": 1,
                     *         "routers": 1,
                     *         "peers": 1,
                     *         "policies": 1
                     *       },
                     *       "created_at": "2026-11-21T07:57:57.379Z"
                     *     }
                     */
                    "application/json": components["schemas"]["TenantSummary"];
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
        };
    };
    Tenant: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 1,
                     *       "status": "status",
                     *       "default_group": 1,
                     *       "default_network": 1,
                     *       "address_range": "100.64.0.0/21",
                     *       "counts": {
                     *         "groups": 1,
                     *         "networks": 1,
                     *         "resources": 1,
                     *         "routers": 1,
                     *         "peers": 1,
                     *         "policies": 1
                     *       },
                     *       "created_at": "2026-11-21T07:57:57.379Z"
                     *     }
                     */
                    "application/json": components["schemas"]["TenantSummary"];
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
        };
    };
    Groups: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": 1,
                     *         "label": "web",
                     *         "is_default": true,
                     *         "created_at": "2026-11-21T07:57:57.379Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["GroupRecord"][];
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
        };
    };
    CreateGroup: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "label": "web"
                 *     }
                 */
                "application/json": {
                    /** @description 1 to 50 lower-case letters, digits and dashes. */
                    label: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 1,
                     *       "label": "web",
                     *       "is_default": true,
                     *       "created_at": "2026-11-21T07:57:57.379Z"
                     *     }
                     */
                    "application/json": components["schemas"]["GroupRecord"];
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The body did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The current state of the resource does not allow this. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
        };
    };
    DeleteGroup: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The group.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The resource does not exist, or belongs to another user. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The current state of the resource does not allow this. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
        };
    };
    Networks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": 1,
                     *         "name": "first",
                     *         "description": "description",
                     *         "is_default": true,
                     *         "routers": [
                     *           1
                     *         ],
                     *         "resources": [
                     *           1
                     *         ],
                     *         "created_at": "2026-11-21T07:57:57.379Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["NetworkRecord"][];
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
        };
    };
    CreateNetwork: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "first",
                 *       "description": "description"
                 *     }
                 */
                "application/json": {
                    /** @description 1 to 128 characters, unique among your networks. */
                    name: string;
                    /** @description Description of the network, up to 512 characters. */
                    description?: string | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 1,
                     *       "name": "first",
                     *       "description": "description",
                     *       "is_default": true,
                     *       "routers": [
                     *         1
                     *       ],
                     *       "resources": [
                     *         1
                     *       ],
                     *       "created_at": "2026-11-21T07:57:57.379Z"
                     *     }
                     */
                    "application/json": components["schemas"]["NetworkRecord"];
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The body did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The current state of the resource does not allow this. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
        };
    };
    DeleteNetwork: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The network.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The resource does not exist, or belongs to another user. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The current state of the resource does not allow this. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
        };
    };
    Resources: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description One of your networks.
                 * @example 1
                 */
                nid: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": 1,
                     *         "network": 1,
                     *         "name": "first",
                     *         "address": "10.0.0.7",
                     *         "kind": "host",
                     *         "enabled": true,
                     *         "groups": [
                     *           1
                     *         ],
                     *         "created_at": "2026-11-21T07:57:57.379Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["ResourceRecord"][];
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The resource does not exist, or belongs to another user. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
        };
    };
    CreateResource: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description One of your networks.
                 * @example 1
                 */
                nid: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "first",
                 *       "address": "10.0.0.7",
                 *       "kind": "host",
                 *       "groups": [
                 *         1
                 *       ],
                 *       "enabled": true
                 *     }
                 */
                "application/json": {
                    /** @description 1 to 128 characters, unique in the network. */
                    name: string;
                    /** @description An IPv4 or IPv6 address, a CIDR or a domain; `*.example.com` for all subdomains. */
                    address: string;
                    /**
                     * @description The type of the address. Default: detected from `address`.
                     * @enum {string|null}
                     */
                    kind?: "domain" | "host" | "subnet" | null;
                    /** @description The complete list of the resource’s groups. Default of a new resource: none. */
                    groups?: number[] | null;
                    /** @description Whether the resource is in effect. Default of a new resource: true. */
                    enabled?: boolean | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 1,
                     *       "network": 1,
                     *       "name": "first",
                     *       "address": "10.0.0.7",
                     *       "kind": "host",
                     *       "enabled": true,
                     *       "groups": [
                     *         1
                     *       ],
                     *       "created_at": "2026-11-21T07:57:57.379Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ResourceRecord"];
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The resource does not exist, or belongs to another user. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The body did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The current state of the resource does not allow this. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
        };
    };
    DeleteResource: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description One of your networks.
                 * @example 1
                 */
                nid: number;
                /**
                 * @description The resource.
                 * @example 1
                 */
                rid: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The resource does not exist, or belongs to another user. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
        };
    };
    UpdateResource: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description One of your networks.
                 * @example 1
                 */
                nid: number;
                /**
                 * @description The resource.
                 * @example 1
                 */
                rid: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "name": "first",
                 *       "address": "10.0.0.7",
                 *       "kind": "host",
                 *       "groups": [
                 *         1
                 *       ],
                 *       "enabled": true
                 *     }
                 */
                "application/json": {
                    /** @description 1 to 128 characters, unique in the network. */
                    name?: string | null;
                    /** @description An IPv4 or IPv6 address, a CIDR or a domain. */
                    address?: string | null;
                    /**
                     * @description The type of the address. Default: detected from `address`.
                     * @enum {string|null}
                     */
                    kind?: "domain" | "host" | "subnet" | null;
                    /** @description The complete list of the resource’s groups. Default of a new resource: none. */
                    groups?: number[] | null;
                    /** @description Whether the resource is in effect. Default of a new resource: true. */
                    enabled?: boolean | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 1,
                     *       "network": 1,
                     *       "name": "first",
                     *       "address": "10.0.0.7",
                     *       "kind": "host",
                     *       "enabled": true,
                     *       "groups": [
                     *         1
                     *       ],
                     *       "created_at": "2026-11-21T07:57:57.379Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ResourceRecord"];
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The resource does not exist, or belongs to another user. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The body did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The current state of the resource does not allow this. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
        };
    };
    Routers: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description One of your networks.
                 * @example 1
                 */
                nid: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": 1,
                     *         "network": 1,
                     *         "peer": 1,
                     *         "masquerade": true,
                     *         "metric": 1,
                     *         "enabled": true,
                     *         "created_at": "2026-11-21T07:57:57.379Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["RouterRecord"][];
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The resource does not exist, or belongs to another user. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
        };
    };
    CreateRouter: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description One of your networks.
                 * @example 1
                 */
                nid: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "peer": 1,
                 *       "masquerade": true,
                 *       "metric": 1,
                 *       "enabled": true
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: int32
                     * @description One of your peers.
                     */
                    peer: number;
                    /** @description Whether packets to resources get the router’s address as their source. Default: true. */
                    masquerade?: boolean | null;
                    /**
                     * Format: int32
                     * @description 1 to 9999; the router with the lowest metric is used. Default: 9999.
                     */
                    metric?: number | null;
                    /** @description Whether the router is in effect. Default: true. */
                    enabled?: boolean | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 1,
                     *       "network": 1,
                     *       "peer": 1,
                     *       "masquerade": true,
                     *       "metric": 1,
                     *       "enabled": true,
                     *       "created_at": "2026-11-21T07:57:57.379Z"
                     *     }
                     */
                    "application/json": components["schemas"]["RouterRecord"];
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The resource does not exist, or belongs to another user. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The body did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The current state of the resource does not allow this. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
        };
    };
    DeleteRouter: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description One of your networks.
                 * @example 1
                 */
                nid: number;
                /**
                 * @description The router.
                 * @example 1
                 */
                rid: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The resource does not exist, or belongs to another user. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
        };
    };
    ChangeMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description One of your groups.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "peer": 1,
                 *       "action": "add"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: int32
                     * @description One of your peers.
                     */
                    peer: number;
                    /**
                     * @description Default: `add`.
                     * @enum {string|null}
                     */
                    action?: "add" | "remove" | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "group": 1,
                     *       "peer": 1,
                     *       "action": "add"
                     *     }
                     */
                    "application/json": {
                        /**
                         * Format: int32
                         * @description The group.
                         */
                        group: number;
                        /**
                         * Format: int32
                         * @description The peer.
                         */
                        peer: number;
                        /**
                         * @description The action that was taken.
                         * @enum {string}
                         */
                        action: "add" | "remove";
                    };
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The resource does not exist, or belongs to another user. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The body did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The current state of the resource does not allow this. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
        };
    };
    Peers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": 1,
                     *         "label": "web",
                     *         "ip": "100.64.0.2",
                     *         "status": "applying",
                     *         "groups": [
                     *           1
                     *         ],
                     *         "vm_ticket_ref": "vm_ticket_ref",
                     *         "last_seen": "2026-11-21T07:57:57.379Z",
                     *         "applied": "b3c1f0a9d2e47586f0a1b2c3d4e5f60718293a4b5c6d7e8f9a0b1c2d3e4f5061",
                     *         "created_at": "2026-11-21T07:57:57.379Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["PeerRecord"][];
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
        };
    };
    Peer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The peer.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 1,
                     *       "label": "web",
                     *       "ip": "100.64.0.2",
                     *       "status": "applying",
                     *       "groups": [
                     *         1
                     *       ],
                     *       "vm_ticket_ref": "vm_ticket_ref",
                     *       "last_seen": "2026-11-21T07:57:57.379Z",
                     *       "applied": "b3c1f0a9d2e47586f0a1b2c3d4e5f60718293a4b5c6d7e8f9a0b1c2d3e4f5061",
                     *       "created_at": "2026-11-21T07:57:57.379Z"
                     *     }
                     */
                    "application/json": components["schemas"]["PeerRecord"];
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The resource does not exist, or belongs to another user. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
        };
    };
    DeletePeer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The peer.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The resource does not exist, or belongs to another user. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
        };
    };
    UpdatePeer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The peer.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "label": "web",
                 *       "groups": [
                 *         1
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @description 1 to 100 characters without control characters; an empty text changes nothing. */
                    label?: string | null;
                    /** @description The complete list of the peer’s groups; at least one. */
                    groups?: number[] | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 1,
                     *       "label": "web",
                     *       "ip": "100.64.0.2",
                     *       "status": "applying",
                     *       "groups": [
                     *         1
                     *       ],
                     *       "vm_ticket_ref": "vm_ticket_ref",
                     *       "last_seen": "2026-11-21T07:57:57.379Z",
                     *       "applied": "b3c1f0a9d2e47586f0a1b2c3d4e5f60718293a4b5c6d7e8f9a0b1c2d3e4f5061",
                     *       "created_at": "2026-11-21T07:57:57.379Z"
                     *     }
                     */
                    "application/json": components["schemas"]["PeerRecord"];
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The resource does not exist, or belongs to another user. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The body did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
        };
    };
    Policies: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": 1,
                     *         "name": "first",
                     *         "source_group": 1,
                     *         "dest_group": 1,
                     *         "protocol": "all",
                     *         "ports": [
                     *           "443"
                     *         ],
                     *         "bidirectional": true,
                     *         "action": "accept",
                     *         "enabled": true,
                     *         "is_managed": true,
                     *         "created_at": "2026-11-21T07:57:57.379Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["PolicyRecord"][];
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
        };
    };
    CreatePolicy: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "first",
                 *       "source_group": 1,
                 *       "dest_group": 1,
                 *       "protocol": "all",
                 *       "ports": [
                 *         "443"
                 *       ],
                 *       "bidirectional": true,
                 *       "action": "accept",
                 *       "enabled": true
                 *     }
                 */
                "application/json": {
                    /** @description 1 to 128 characters. Default of a new policy: `<source>-to-<destination>`. */
                    name?: string | null;
                    /**
                     * Format: int32
                     * @description One of your groups.
                     */
                    source_group: number;
                    /**
                     * Format: int32
                     * @description One of your groups.
                     */
                    dest_group: number;
                    /**
                     * @description Default of a new policy: `all`.
                     * @enum {string|null}
                     */
                    protocol?: "all" | "icmp" | "tcp" | "udp" | null;
                    /** @description `80` or `8000-8100`. Ignored with protocol `all`, refused with `icmp`. */
                    ports?: string[] | null;
                    /** @description Default of a new policy: true. */
                    bidirectional?: boolean | null;
                    /**
                     * @description Default of a new policy: `accept`.
                     * @enum {string|null}
                     */
                    action?: "accept" | "drop" | null;
                    /** @description Default of a new policy: true. */
                    enabled?: boolean | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 1,
                     *       "name": "first",
                     *       "source_group": 1,
                     *       "dest_group": 1,
                     *       "protocol": "all",
                     *       "ports": [
                     *         "443"
                     *       ],
                     *       "bidirectional": true,
                     *       "action": "accept",
                     *       "enabled": true,
                     *       "is_managed": true,
                     *       "created_at": "2026-11-21T07:57:57.379Z"
                     *     }
                     */
                    "application/json": components["schemas"]["PolicyRecord"];
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The body did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
        };
    };
    DeletePolicy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The policy.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The resource does not exist, or belongs to another user. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The current state of the resource does not allow this. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
        };
    };
    UpdatePolicy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The policy.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "name": "first",
                 *       "source_group": 1,
                 *       "dest_group": 1,
                 *       "protocol": "all",
                 *       "ports": [
                 *         "443"
                 *       ],
                 *       "bidirectional": true,
                 *       "action": "accept",
                 *       "enabled": true
                 *     }
                 */
                "application/json": {
                    /** @description 1 to 128 characters. Default of a new policy: `<source>-to-<destination>`. */
                    name?: string | null;
                    /**
                     * Format: int32
                     * @description One of your groups.
                     */
                    source_group?: number | null;
                    /**
                     * Format: int32
                     * @description One of your groups.
                     */
                    dest_group?: number | null;
                    /**
                     * @description Default of a new policy: `all`.
                     * @enum {string|null}
                     */
                    protocol?: "all" | "icmp" | "tcp" | "udp" | null;
                    /** @description `80` or `8000-8100`. Ignored with protocol `all`, refused with `icmp`. */
                    ports?: string[] | null;
                    /** @description Default of a new policy: true. */
                    bidirectional?: boolean | null;
                    /**
                     * @description Default of a new policy: `accept`.
                     * @enum {string|null}
                     */
                    action?: "accept" | "drop" | null;
                    /** @description Default of a new policy: true. */
                    enabled?: boolean | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 1,
                     *       "name": "first",
                     *       "source_group": 1,
                     *       "dest_group": 1,
                     *       "protocol": "all",
                     *       "ports": [
                     *         "443"
                     *       ],
                     *       "bidirectional": true,
                     *       "action": "accept",
                     *       "enabled": true,
                     *       "is_managed": true,
                     *       "created_at": "2026-11-21T07:57:57.379Z"
                     *     }
                     */
                    "application/json": components["schemas"]["PolicyRecord"];
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The resource does not exist, or belongs to another user. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The body did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The current state of the resource does not allow this. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
        };
    };
    Topology: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETag of the copy that the client has. The answer is 304 if it is still current.
                 * @example If-None-Match
                 */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /**
                     * @description The version of the answer. Send it as `If-None-Match` to receive 304 while nothing has changed.
                     * @example
                     */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "nodes": [
                     *         {
                     *           "id": "0b0a8a3e-52a2-4f3d-9f0e-6a6c1f7d2a11",
                     *           "type": "type",
                     *           "label": "web",
                     *           "meta": {
                     *             "group_id": 1,
                     *             "is_default": true,
                     *             "peer_id": 1,
                     *             "ip": "100.64.0.2",
                     *             "status": "applying",
                     *             "resource_id": 1,
                     *             "address": "10.0.0.7",
                     *             "kind": "host",
                     *             "router_id": 1,
                     *             "network_id": 1,
                     *             "masquerade": true,
                     *             "metric": 1,
                     *             "enabled": true,
                     *             "groups": [
                     *               1
                     *             ]
                     *           }
                     *         }
                     *       ],
                     *       "edges": [
                     *         {
                     *           "id": "0b0a8a3e-52a2-4f3d-9f0e-6a6c1f7d2a11",
                     *           "type": "type",
                     *           "source": "desktop",
                     *           "target": "target",
                     *           "meta": {
                     *             "policy_id": 1,
                     *             "is_managed": true,
                     *             "protocol": "all",
                     *             "ports": [
                     *               "443"
                     *             ],
                     *             "bidirectional": true,
                     *             "action": "accept",
                     *             "enabled": true,
                     *             "router_id": 1,
                     *             "network_id": 1,
                     *             "peer_id": 1,
                     *             "resource_id": 1
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @description All nodes of the graph. */
                        nodes: {
                            /** @description `kind:pk`, e.g. `group:17`. */
                            id: string;
                            /** @description `group`, `peer`, `resource` or `router`. */
                            type: string;
                            /** @description The label to show. */
                            label: string;
                            /** @description The details of the node. Their fields depend on its type. */
                            meta: {
                                /**
                                 * Format: int32
                                 * @description Of a group: its id.
                                 */
                                group_id?: number;
                                /** @description Of a group: whether it is the default group. */
                                is_default?: boolean;
                                /**
                                 * Format: int32
                                 * @description Of a peer: its id. Of a router: the id of its peer.
                                 */
                                peer_id?: number;
                                /** @description Of a peer: its overlay address. */
                                ip?: string;
                                /**
                                 * @description Of a peer: its status.
                                 * @enum {string}
                                 */
                                status?: "applying" | "in_force" | "never_seen" | "stale";
                                /**
                                 * Format: int32
                                 * @description Of a resource: its id.
                                 */
                                resource_id?: number;
                                /** @description Of a resource: its address. */
                                address?: string;
                                /**
                                 * @description Of a resource: the type of its address.
                                 * @enum {string}
                                 */
                                kind?: "domain" | "host" | "subnet";
                                /**
                                 * Format: int32
                                 * @description Of a router: its id.
                                 */
                                router_id?: number;
                                /**
                                 * Format: int32
                                 * @description Of a resource or a router: its network.
                                 */
                                network_id?: number;
                                /** @description Of a router: whether packets to resources get its address as their source. */
                                masquerade?: boolean;
                                /**
                                 * Format: int32
                                 * @description Of a router: its metric; the router with the lowest metric is used.
                                 */
                                metric?: number;
                                /** @description Of a resource or a router: whether it is in effect. */
                                enabled?: boolean;
                                /** @description Of a peer or a resource: its groups. */
                                groups?: number[];
                            };
                        }[];
                        /** @description All edges of the graph. */
                        edges: {
                            /** @description `policy:<policy>`, `route:<router>-<resource>` or `router-binding:<router>`. */
                            id: string;
                            /** @description `policy`, `route` or `router-binding`. */
                            type: string;
                            /** @description Id of the source node. */
                            source: string;
                            /** @description Id of the target node. */
                            target: string;
                            /** @description The details of the edge. Their fields depend on its type. */
                            meta: {
                                /**
                                 * Format: int32
                                 * @description Of a policy: its id, for editing.
                                 */
                                policy_id?: number;
                                /** @description Whether the edge is read-only: all edges except the policies that you can edit. */
                                is_managed: boolean;
                                /**
                                 * @description Of a policy: its protocol.
                                 * @enum {string}
                                 */
                                protocol?: "all" | "icmp" | "tcp" | "udp";
                                /** @description Of a policy: its destination ports. Empty: every port. */
                                ports?: string[];
                                /** @description Of a policy: whether it also applies from target to source. */
                                bidirectional?: boolean;
                                /**
                                 * @description Of a policy: its action.
                                 * @enum {string}
                                 */
                                action?: "accept" | "drop";
                                /** @description Of a policy: whether it is in effect. */
                                enabled?: boolean;
                                /**
                                 * Format: int32
                                 * @description Of a route or router-binding: its router.
                                 */
                                router_id?: number;
                                /**
                                 * Format: int32
                                 * @description Of a route or router-binding: its network.
                                 */
                                network_id?: number;
                                /**
                                 * Format: int32
                                 * @description Of a router-binding: its peer.
                                 */
                                peer_id?: number;
                                /**
                                 * Format: int32
                                 * @description Of a route: its resource.
                                 */
                                resource_id?: number;
                            };
                        }[];
                    };
                };
            };
            /** @description Not modified: the ETag in `If-None-Match` is current. */
            304: {
                headers: {
                    /**
                     * @description The version of the answer. Send it as `If-None-Match` to receive 304 while nothing has changed.
                     * @example
                     */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
        };
    };
    EnrollPeer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "vm_label": "vm_label",
                 *       "group": 1,
                 *       "vm_ticket_ref": "vm_ticket_ref"
                 *     }
                 */
                "application/json": {
                    /** @description 1 to 100 characters without control characters. Omitted or empty: `vm-<peer id>`. */
                    vm_label?: string | null;
                    /**
                     * Format: int32
                     * @description One of your groups. Default: the default group.
                     */
                    group?: number | null;
                    /** @description Id of the order for the VM, 1 to 256 characters. */
                    vm_ticket_ref?: string | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 1,
                     *       "peer": 1,
                     *       "name": "first",
                     *       "group": 1,
                     *       "setup_key": "setup_key",
                     *       "join_command": "join_command",
                     *       "expires_at": "2026-11-21T07:57:57.379Z",
                     *       "state": "expired",
                     *       "vm_ticket_ref": "vm_ticket_ref",
                     *       "created_at": "2026-11-21T07:57:57.379Z"
                     *     }
                     */
                    "application/json": {
                        /**
                         * Format: int32
                         * @description Id of the setup key.
                         */
                        id: number;
                        /**
                         * Format: int32
                         * @description The peer that the machine will join as.
                         */
                        peer: number;
                        /** @description The label of the peer. */
                        name: string;
                        /**
                         * Format: int32
                         * @description The group given, or the default one.
                         */
                        group: number;
                        /** @description The setup key, for one machine. It cannot be read again. */
                        setup_key: string;
                        /** @description One command line to run as root on the machine. */
                        join_command: string;
                        /**
                         * Format: date-time
                         * @description When the key expires if unused.
                         */
                        expires_at: string;
                        /**
                         * @description Always `valid`.
                         * @enum {string}
                         */
                        state: "expired" | "revoked" | "used" | "valid";
                        /** @description The order ticket of the VM, as given at enrollment. */
                        vm_ticket_ref: string | null;
                        /**
                         * Format: date-time
                         * @description When it was created.
                         */
                        created_at: string;
                    };
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The body did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The current state of the resource does not allow this. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description A part of the platform is not available at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
        };
    };
    SetupKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": 1,
                     *         "name": "first",
                     *         "key": "-----BEGIN NEBULA X25519 PRIVATE KEY-----\n…\n-----END NEBULA X25519 PRIVATE KEY-----\n",
                     *         "type": "type",
                     *         "state": "expired",
                     *         "valid": true,
                     *         "used_times": 1,
                     *         "revoked": true,
                     *         "expires_at": "2026-11-21T07:57:57.379Z",
                     *         "auto_groups": [
                     *           1
                     *         ],
                     *         "peer": 1,
                     *         "vm_ticket_ref": "vm_ticket_ref",
                     *         "created_at": "2026-11-21T07:57:57.379Z"
                     *       }
                     *     ]
                     */
                    "application/json": {
                        /**
                         * Format: int32
                         * @description Id of the setup key; never changes.
                         */
                        id: number;
                        /** @description The label given to its peer at enrollment. */
                        name: string;
                        /** @description The last characters of the key. The whole key is shown only when it is created. */
                        key: string;
                        /** @description Always `one-off`. */
                        type: string;
                        /**
                         * @description `valid` until it is `used`, `revoked` or, 24 hours after its creation, `expired`.
                         * @enum {string}
                         */
                        state: "expired" | "revoked" | "used" | "valid";
                        /** @description Whether a machine can join with the key. */
                        valid: boolean;
                        /**
                         * Format: int32
                         * @description How often it was used: 0 or 1.
                         */
                        used_times: number;
                        /** @description Whether it was revoked, or its peer was deleted, before it was used. */
                        revoked: boolean;
                        /**
                         * Format: date-time
                         * @description When it expires if unused.
                         */
                        expires_at: string;
                        /** @description The groups given at enrollment that still exist. */
                        auto_groups: number[];
                        /**
                         * Format: int32
                         * @description The peer of the key; null after the peer is deleted.
                         */
                        peer: number | null;
                        /** @description The order ticket of the VM, as given at enrollment. */
                        vm_ticket_ref: string | null;
                        /**
                         * Format: date-time
                         * @description When it was created.
                         */
                        created_at: string;
                    }[];
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
        };
    };
    RevokeSetupKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The setup key.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The resource does not exist, or belongs to another user. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
        };
    };
    EnrollInfra: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "first",
                 *       "vm_instance": 1,
                 *       "group": 1
                 *     }
                 */
                "application/json": {
                    /** @description 1 to 128 characters. */
                    name: string;
                    /** @description One of your VM instances, by id or uuid. Default: a managed gateway. */
                    vm_instance?: number | string | null;
                    /**
                     * Format: int32
                     * @description One of your groups, as an additional group.
                     */
                    group?: number | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 1,
                     *       "name": "first",
                     *       "vm_instance": 1,
                     *       "group": 1,
                     *       "peer": 1,
                     *       "state": "state",
                     *       "created_at": "2026-11-21T07:57:57.379Z"
                     *     }
                     */
                    "application/json": components["schemas"]["InfraRecord"];
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The body did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The current state of the resource does not allow this. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
        };
    };
    InfraEnrollments: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": 1,
                     *         "name": "first",
                     *         "vm_instance": 1,
                     *         "group": 1,
                     *         "peer": 1,
                     *         "state": "state",
                     *         "created_at": "2026-11-21T07:57:57.379Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["InfraRecord"][];
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
        };
    };
    DeleteInfraEnrollment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The enrollment.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The resource does not exist, or belongs to another user. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
        };
    };
    JoinNetwork: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "setup_key": "setup_key",
                 *       "public_key": "oTjcn+g85c9UD5KNTiS31ZyKHKyetaPzJdJvBSLaFj0="
                 *     }
                 */
                "application/json": {
                    /** @description The setup key, as shown at enrollment. */
                    setup_key: string;
                    /** @description x25519 public key, generated on the machine: PEM as written by `nebula-cert keygen`, or 32 bytes in base64 or hex. */
                    public_key: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "peer": 1,
                     *       "ip": "100.64.0.2",
                     *       "label": "web",
                     *       "token": "arch_…",
                     *       "configuration_url": "configuration_url"
                     *     }
                     */
                    "application/json": {
                        /**
                         * Format: int32
                         * @description The peer of the machine.
                         */
                        peer: number;
                        /** @description The overlay address of the peer. */
                        ip: string;
                        /** @description The label of the peer. */
                        label: string;
                        /** @description The token of the machine, shown only once. */
                        token: string;
                        /** @description URL of the configuration; send the token in the header `Peer-Token`. */
                        configuration_url: string;
                    };
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The body did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The current state of the resource does not allow this. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Too many requests; `Retry-After` has the seconds to wait. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
        };
    };
    Configuration: {
        parameters: {
            query?: {
                /**
                 * @description Seconds to wait, at most 20, until the text differs from the one that `If-None-Match` names.
                 * @example 20
                 */
                wait?: string;
            };
            header: {
                /**
                 * @description The token that the machine received when it joined.
                 * @example Peer-Token
                 */
                "Peer-Token": string;
                /**
                 * @description ETag of the copy that the client has. The answer is 304 if it is still current.
                 * @example If-None-Match
                 */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The text. */
            200: {
                headers: {
                    /**
                     * @description SHA-256 of the text, 64 hex digits.
                     * @example
                     */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /** @example  */
                    "text/plain": string;
                };
            };
            /** @description Not modified: the ETag in `If-None-Match` is current. */
            304: {
                headers: {
                    /**
                     * @description SHA-256 of the text, 64 hex digits.
                     * @example
                     */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description A part of the platform is not available at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
        };
    };
    ReportConfiguration: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The machine’s token, which it received when it joined.
                 * @example Peer-Token
                 */
                "Peer-Token": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "applied": "b3c1f0a9d2e47586f0a1b2c3d4e5f60718293a4b5c6d7e8f9a0b1c2d3e4f5061",
                 *       "peer": 1,
                 *       "names": [
                 *         {
                 *           "addresses": [
                 *             "10.0.0.7"
                 *           ],
                 *           "name": "first"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @description SHA-256 of the running configuration, 64 hex digits. */
                    applied: string;
                    /**
                     * Format: int32
                     * @description Id of the reporting peer, if given.
                     */
                    peer?: number | null;
                    /** @description Names behind this router with their addresses. Omitted names keep their addresses. */
                    names?: components["schemas"]["FoundName"][] | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "peer": 1,
                     *       "status": "applying"
                     *     }
                     */
                    "application/json": {
                        /**
                         * Format: int32
                         * @description The peer that reported.
                         */
                        peer: number;
                        /**
                         * @description `in_force` when the machine runs its current configuration.
                         * @enum {string}
                         */
                        status: "applying" | "in_force" | "never_seen" | "stale";
                    };
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The body did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The current state of the resource does not allow this. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Too many requests; `Retry-After` has the seconds to wait. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
        };
    };
    NotificationPreferences: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "email_enabled": true,
                     *       "low_credit_alerts": true,
                     *       "zero_balance_alerts": true,
                     *       "file_status_updates": true,
                     *       "marketing_emails": true
                     *     }
                     */
                    "application/json": components["schemas"]["PreferenceRecord"];
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
        };
    };
    ReplaceNotificationPreferences: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email_enabled": true,
                 *       "low_credit_alerts": true,
                 *       "zero_balance_alerts": true,
                 *       "file_status_updates": true,
                 *       "marketing_emails": true
                 *     }
                 */
                "application/json": {
                    /** @description Whether to send notifications by e-mail as well. */
                    email_enabled: boolean;
                    /** @description Whether to notify when credits fall below a level. */
                    low_credit_alerts: boolean;
                    /** @description Whether to notify when credits are used up. */
                    zero_balance_alerts: boolean;
                    /** @description Whether to notify about changes of files. */
                    file_status_updates: boolean;
                    /** @description Whether to notify about news and offers. */
                    marketing_emails: boolean;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "email_enabled": true,
                     *       "low_credit_alerts": true,
                     *       "zero_balance_alerts": true,
                     *       "file_status_updates": true,
                     *       "marketing_emails": true
                     *     }
                     */
                    "application/json": components["schemas"]["PreferenceRecord"];
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The body did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
        };
    };
    UpdateNotificationPreferences: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "email_enabled": true,
                 *       "low_credit_alerts": true,
                 *       "zero_balance_alerts": true,
                 *       "file_status_updates": true,
                 *       "marketing_emails": true
                 *     }
                 */
                "application/json": {
                    /** @description Whether to send notifications by e-mail as well. */
                    email_enabled?: boolean | null;
                    /** @description Whether to notify when credits fall below a level. */
                    low_credit_alerts?: boolean | null;
                    /** @description Whether to notify when credits are used up. */
                    zero_balance_alerts?: boolean | null;
                    /** @description Whether to notify about changes of files. */
                    file_status_updates?: boolean | null;
                    /** @description Whether to notify about news and offers. */
                    marketing_emails?: boolean | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "email_enabled": true,
                     *       "low_credit_alerts": true,
                     *       "zero_balance_alerts": true,
                     *       "file_status_updates": true,
                     *       "marketing_emails": true
                     *     }
                     */
                    "application/json": components["schemas"]["PreferenceRecord"];
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The body did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
        };
    };
    JoinScript: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The text. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example  */
                    "text/plain": string;
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
        };
    };
    Jwks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "keys": [
                     *         {
                     *           "kty": "kty",
                     *           "crv": "crv",
                     *           "x": "x",
                     *           "kid": "kid",
                     *           "use": "use",
                     *           "alg": "alg"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @description Newest first, at least one; includes retired keys until the last access token they signed expires. */
                        keys: {
                            /** @description Always OKP. */
                            kty: string;
                            /** @description Always Ed25519. */
                            crv: string;
                            /** @description The public key, base64url. */
                            x: string;
                            /** @description The key id in the header of a token. */
                            kid: string;
                            /** @description Always sig. */
                            use: string;
                            /** @description Always EdDSA. */
                            alg: string;
                        }[];
                    };
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
        };
    };
    ExchangeAuthCode2: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "code": "code"
                 *     }
                 */
                "application/json": {
                    /** @description The code; valid for two minutes. */
                    code: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "token": "arch_…",
                     *       "user": {
                     *         "id": 1,
                     *         "username": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
                     *         "email": "user@example.org",
                     *         "substrate_address": "5GmS1wtCfR4tK5SSgnZbVT4kYw5W8NmxmijcsxCQE6oLW6A8"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description API token; send it as `Authorization: Token <token>`. Valid for 30 days. */
                        token: string;
                        /** @description The signed-in user. */
                        user: {
                            /**
                             * Format: int32
                             * @description Id of the user.
                             */
                            id: number;
                            /** @description Unique name of the user. */
                            username: string;
                            /** @description The verified e-mail address of the account; empty without one. */
                            email: string;
                            /** @description SS58 address; null until a wallet is linked. */
                            substrate_address: string | null;
                        };
                    };
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The body did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
        };
    };
    StartSocialSignIn: {
        parameters: {
            query: {
                /**
                 * @description URL to return to: below the public URL or a registered address, or /get-token/?callback_url=… with one of these. The callback itself must not be a /get-token/ page.
                 * @example /get-token/?callback_url=https%3A%2F%2Fconsole.example%2Fauth%2Fcallback
                 */
                next: string;
            };
            header?: never;
            path: {
                /**
                 * @description Name of the provider, lower case.
                 * @example google
                 */
                provider: string;
            };
            cookie?: {
                /**
                 * @description The value of `browser` from an earlier start in this browser.
                 * @example archipelago-login
                 */
                "archipelago-login"?: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Redirects the browser. */
            302: {
                headers: {
                    /**
                     * @description The address of the redirect.
                     * @example https://cloud.example/?page=2
                     */
                    Location?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description The resource does not exist, or belongs to another user. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Too many requests; `Retry-After` has the seconds to wait. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description A part of the platform is not available at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
        };
    };
    CompleteSocialSignIn: {
        parameters: {
            query: {
                /**
                 * @description The value from the provider.
                 * @example state
                 */
                state: string;
                /**
                 * @description The value from the provider.
                 * @example code
                 */
                code?: string;
                /**
                 * @description The value from the provider.
                 * @example iss
                 */
                iss?: string;
                /**
                 * @description The value from the provider.
                 * @example error
                 */
                error?: string;
                /**
                 * @description The value from the provider.
                 * @example error_description
                 */
                error_description?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Name of the provider, lower case.
                 * @example google
                 */
                provider: string;
            };
            cookie?: {
                /**
                 * @description The value of `browser` from the start.
                 * @example archipelago-login
                 */
                "archipelago-login"?: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description Redirects the browser. */
            302: {
                headers: {
                    /**
                     * @description The address of the redirect.
                     * @example https://cloud.example/?page=2
                     */
                    Location?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "error"
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformRefusal"];
                };
            };
        };
    };
    RegisterFolder: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "ss58_address": "5GmS1wtCfR4tK5SSgnZbVT4kYw5W8NmxmijcsxCQE6oLW6A8",
                 *       "folder_hash": "37a8eec1ce19687d",
                 *       "label": "web",
                 *       "device_name": "device_name"
                 *     }
                 */
                "application/json": {
                    /** @description Your SS58 address. Also accepted as `user_id`. */
                    ss58_address: string;
                    /** @description First 16 hex digits of the SHA-256 of the label. */
                    folder_hash: string;
                    /** @description Display name, at most 4096 bytes; may be empty. */
                    label: string;
                    /** @description Name of the device that registers the folder, at most 256 bytes. */
                    device_name?: string | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Success": {
                     *         "status": "status"
                     *       }
                     *     }
                     */
                    "application/json": {
                        Success: {
                            /** @description `registered`. */
                            status: string;
                        };
                    };
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description The body did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description The current state of the resource does not allow this. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description Too many requests; `Retry-After` has the seconds to wait. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description An internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
        };
    };
    ListFolders: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Your SS58 address.
                 * @example 5GmS1wtCfR4tK5SSgnZbVT4kYw5W8NmxmijcsxCQE6oLW6A8
                 */
                base_address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Success": {
                     *         "base_address": "5GmS1wtCfR4tK5SSgnZbVT4kYw5W8NmxmijcsxCQE6oLW6A8",
                     *         "folders": [
                     *           {
                     *             "label": "web",
                     *             "folder_hash": "37a8eec1ce19687d",
                     *             "file_count": 1,
                     *             "total_bytes": 1,
                     *             "created_at": 1,
                     *             "updated_at": 1,
                     *             "device_name": "device_name"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        Success: {
                            /** @description SS58 address of the owner. */
                            base_address: string;
                            /** @description Registered folders, oldest first. */
                            folders: {
                                /** @description Display name from the registration. */
                                label: string;
                                /** @description First 16 hex digits of the SHA-256 of the label. */
                                folder_hash: string;
                                /**
                                 * Format: int64
                                 * @description Number of files in the folder.
                                 */
                                file_count: number;
                                /**
                                 * Format: uint64
                                 * @description Total size of its files in bytes, before encryption.
                                 */
                                total_bytes: number;
                                /**
                                 * Format: int64
                                 * @description When the folder was registered, in Unix seconds.
                                 */
                                created_at: number;
                                /**
                                 * Format: int64
                                 * @description When a file in it last changed, in Unix seconds.
                                 */
                                updated_at: number;
                                /** @description Name of the device that registered the folder; empty if the device did not send it. */
                                device_name: string;
                            }[];
                        };
                    };
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description An internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
        };
    };
    UnregisterFolder: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "ss58_address": "5GmS1wtCfR4tK5SSgnZbVT4kYw5W8NmxmijcsxCQE6oLW6A8",
                 *       "folder_hash": "37a8eec1ce19687d"
                 *     }
                 */
                "application/json": {
                    /** @description Your SS58 address. Also accepted as `user_id`. */
                    ss58_address: string;
                    /** @description Folder hash: 16 hex digits. */
                    folder_hash: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Success": {
                     *         "status": "status",
                     *         "files_deleted": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        Success: {
                            /** @description `unregistered`. */
                            status: string;
                            /**
                             * Format: int64
                             * @description Number of files that were deleted with the folder.
                             */
                            files_deleted: number;
                        };
                    };
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description The resource does not exist, or belongs to another user. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description The body did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description An internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
        };
    };
    OpenUploadSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "manifest": {
                 *         "base_revision_id": null,
                 *         "ciphertext_hash": "59ff194df47f1fa43a840fed30c570b2eaff79d1cfb50ecc3753918853889ac4",
                 *         "encrypted_path": "7f6e5d",
                 *         "file_name": "notes.txt",
                 *         "folder_hash": "37a8eec1ce19687d",
                 *         "path_hash": "b24fe3e5bfd4694fd0dd67bdc0c9ead848200790b54bd483f120dcd791b3914e",
                 *         "relative_path": "docs/notes.txt",
                 *         "revision_seq": 1,
                 *         "salted_hash": "b3c1f0a9d2e47586f0a1b2c3d4e5f60718293a4b5c6d7e8f9a0b1c2d3e4f5061",
                 *         "signature": "e522b7d937133ca0aa3ee708255bb5961154a2e7df0c944c03a948dfe90ebe32ae05f86a4f764c872544bf8c18a6c671bbc2ac4e713440e943fce198d279510a",
                 *         "signing_key": "c5785e1865b708938aff8161d573006496663b1aa10834e396dc566869a2c66a",
                 *         "size_bytes": 4096,
                 *         "source": "desktop",
                 *         "ss58_address": "5GmS1wtCfR4tK5SSgnZbVT4kYw5W8NmxmijcsxCQE6oLW6A8",
                 *         "timestamp": 1763712000
                 *       },
                 *       "chunk_count": 1,
                 *       "chunk_size": 1024,
                 *       "ciphertext_size": 32
                 *     }
                 */
                "application/json": {
                    /** @description Signed manifest of the file. */
                    manifest: components["schemas"]["ManifestInput"];
                    /**
                     * Format: int64
                     * @description Number of chunks: `ciphertextSize` divided by `chunkSize`, rounded up, at least 1; maximum 65536.
                     */
                    chunk_count: number | string;
                    /**
                     * Format: int64
                     * @description Size of a chunk in bytes, at most 16 MiB; the last chunk may be smaller.
                     */
                    chunk_size: number | string;
                    /**
                     * Format: int64
                     * @description Size of the ciphertext in bytes, at most 1 TiB.
                     */
                    ciphertext_size: number | string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Success": {
                     *         "session_id": "8f14e45fceea167a5a36dedd4bea2543",
                     *         "expires_at": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        Success: {
                            /** @description Id of the session. */
                            session_id: string;
                            /**
                             * Format: int64
                             * @description When the session expires, in Unix seconds; each stored chunk and each read of the session extends it.
                             */
                            expires_at: number;
                        };
                    };
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description The balance has too few credits. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description The body did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description Too many requests; `Retry-After` has the seconds to wait. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description An internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
        };
    };
    UploadChunk: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description BLAKE3 of the chunk, 64 hex digits; if given, a damaged chunk is refused immediately.
                 * @example 59ff194df47f1fa43a840fed30c570b2eaff79d1cfb50ecc3753918853889ac4
                 */
                "x-chunk-blake3"?: string;
            };
            path: {
                /**
                 * @description Id of the upload session.
                 * @example 8f14e45fceea167a5a36dedd4bea2543
                 */
                session_id: string;
                /**
                 * @description Index of the chunk, from 0.
                 * @example 0
                 */
                chunk_index: number | string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /** @example The encrypted bytes of the file. */
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Success": {
                     *         "chunk_index": 0
                     *       }
                     *     }
                     */
                    "application/json": {
                        Success: {
                            /**
                             * Format: int32
                             * @description Index of the chunk, from 0.
                             */
                            chunk_index: number;
                        };
                    };
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description The resource does not exist, or belongs to another user. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description The body did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description The current state of the resource does not allow this. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description An internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
        };
    };
    UploadSessionStatus: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the upload session.
                 * @example 8f14e45fceea167a5a36dedd4bea2543
                 */
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Success": {
                     *         "session_id": "8f14e45fceea167a5a36dedd4bea2543",
                     *         "state": "state",
                     *         "total_chunks": 1,
                     *         "chunks_received": [
                     *           1
                     *         ],
                     *         "expires_at": 1,
                     *         "ciphertext_hash": "59ff194df47f1fa43a840fed30c570b2eaff79d1cfb50ecc3753918853889ac4"
                     *       }
                     *     }
                     */
                    "application/json": {
                        Success: {
                            /** @description Id of the session. */
                            session_id: string;
                            /** @description `receiving`, or `finalized` when the file is written. */
                            state: string;
                            /**
                             * Format: int32
                             * @description Number of chunks of the file.
                             */
                            total_chunks: number;
                            /** @description Indexes of the stored chunks, from 0, ascending. */
                            chunks_received: number[];
                            /**
                             * Format: int64
                             * @description When the session expires, in Unix seconds; each stored chunk and each read of the session extends it.
                             */
                            expires_at: number;
                            /** @description BLAKE3 of the whole ciphertext, hex, from the manifest. */
                            ciphertext_hash: string;
                        };
                    };
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description The resource does not exist, or belongs to another user. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description An internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
        };
    };
    FinalizeUpload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the upload session.
                 * @example 8f14e45fceea167a5a36dedd4bea2543
                 */
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Success": {
                     *         "upload_id": "b3c1f0a9d2e47586f0a1b2c3d4e5f60718293a4b5c6d7e8f9a0b1c2d3e4f5061",
                     *         "timestamp": 1,
                     *         "revision_id": [
                     *           1
                     *         ],
                     *         "created_at": 1,
                     *         "updated_at": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        Success: {
                            /** @description Id of the upload. */
                            upload_id: string;
                            /**
                             * Format: int64
                             * @description When it was written, in Unix seconds.
                             */
                            timestamp: number;
                            /** @description 32 bytes: id of this revision; the base of the next one. */
                            revision_id: number[];
                            /**
                             * Format: int64
                             * @description When the file was created, in Unix seconds.
                             */
                            created_at: number;
                            /**
                             * Format: int64
                             * @description When this revision was written, in Unix seconds.
                             */
                            updated_at: number;
                        };
                    };
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description The balance has too few credits. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description The resource does not exist, or belongs to another user. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description The current state of the resource does not allow this. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description An internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
        };
    };
    DeleteUploadSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the upload session.
                 * @example 8f14e45fceea167a5a36dedd4bea2543
                 */
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Success": {
                     *         "deleted": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        Success: {
                            /** @description `true`. */
                            deleted: boolean;
                        };
                    };
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description An internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
        };
    };
    UploadFile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "manifest": {
                 *         "base_revision_id": null,
                 *         "ciphertext_hash": "59ff194df47f1fa43a840fed30c570b2eaff79d1cfb50ecc3753918853889ac4",
                 *         "encrypted_path": "7f6e5d",
                 *         "file_name": "notes.txt",
                 *         "folder_hash": "37a8eec1ce19687d",
                 *         "path_hash": "b24fe3e5bfd4694fd0dd67bdc0c9ead848200790b54bd483f120dcd791b3914e",
                 *         "relative_path": "docs/notes.txt",
                 *         "revision_seq": 1,
                 *         "salted_hash": "b3c1f0a9d2e47586f0a1b2c3d4e5f60718293a4b5c6d7e8f9a0b1c2d3e4f5061",
                 *         "signature": "e522b7d937133ca0aa3ee708255bb5961154a2e7df0c944c03a948dfe90ebe32ae05f86a4f764c872544bf8c18a6c671bbc2ac4e713440e943fce198d279510a",
                 *         "signing_key": "c5785e1865b708938aff8161d573006496663b1aa10834e396dc566869a2c66a",
                 *         "size_bytes": 4096,
                 *         "source": "desktop",
                 *         "ss58_address": "5GmS1wtCfR4tK5SSgnZbVT4kYw5W8NmxmijcsxCQE6oLW6A8",
                 *         "timestamp": 1763712000
                 *       },
                 *       "ciphertext": "The encrypted bytes of the file."
                 *     }
                 */
                "multipart/form-data": {
                    manifest: components["schemas"]["ManifestInput"];
                    /** Format: binary */
                    ciphertext: string;
                } | {
                    account_ss58: string;
                    /** Format: binary */
                    file: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Success": {
                     *         "upload_id": "b3c1f0a9d2e47586f0a1b2c3d4e5f60718293a4b5c6d7e8f9a0b1c2d3e4f5061",
                     *         "timestamp": 1763712000,
                     *         "revision_id": [
                     *           1
                     *         ],
                     *         "created_at": 1,
                     *         "updated_at": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        Success: {
                            /** @description Id of the upload. */
                            upload_id: string;
                            /**
                             * Format: int64
                             * @description When it was written, in Unix seconds.
                             */
                            timestamp: number;
                            /** @description 32 bytes: id of this revision; the base of the next one. */
                            revision_id: number[];
                            /**
                             * Format: int64
                             * @description When the file was created, in Unix seconds.
                             */
                            created_at: number;
                            /**
                             * Format: int64
                             * @description When this revision was written, in Unix seconds.
                             */
                            updated_at: number;
                        } | {
                            /** @description Id of the file. */
                            file_id: string;
                            /** @description Id of the upload. */
                            upload_id: string;
                            /**
                             * Format: int64
                             * @description When it was stored, in Unix seconds.
                             */
                            timestamp: number;
                        };
                    };
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description The balance has too few credits. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description The body did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description The current state of the resource does not allow this. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description An internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
        };
    };
    GetState: {
        parameters: {
            query?: {
                /**
                 * @description Number of files to skip; default 0.
                 * @example 1
                 */
                offset?: number;
                /**
                 * @description Page size; default 1000, maximum 5000.
                 * @example 1
                 */
                limit?: number;
            };
            header?: never;
            path: {
                /**
                 * @description SS58 address of the owner.
                 * @example 5GmS1wtCfR4tK5SSgnZbVT4kYw5W8NmxmijcsxCQE6oLW6A8
                 */
                ss58: string;
                /**
                 * @description Folder hash: 16 hex digits; omit it for files of an object-store gateway.
                 * @example 37a8eec1ce19687d
                 */
                folder_hash: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Success": {
                     *         "ss58_address": "5GmS1wtCfR4tK5SSgnZbVT4kYw5W8NmxmijcsxCQE6oLW6A8",
                     *         "folder_hash": "37a8eec1ce19687d",
                     *         "files": [
                     *           {
                     *             "path_hash": [
                     *               1
                     *             ],
                     *             "salted_hash": [
                     *               1
                     *             ],
                     *             "size_bytes": 4096,
                     *             "revision_seq": 1,
                     *             "revision_id": [
                     *               1
                     *             ],
                     *             "encrypted_path": [
                     *               1
                     *             ],
                     *             "file_name": "notes.txt",
                     *             "relative_path": "docs/notes.txt",
                     *             "store_hash": "store_hash",
                     *             "chunk_hashes": [
                     *               "chunk_hashes"
                     *             ],
                     *             "created_at": 1,
                     *             "updated_at": 1,
                     *             "uploaded_by": "uploaded_by"
                     *           }
                     *         ],
                     *         "total_count": 1,
                     *         "has_more": true,
                     *         "offset": 1,
                     *         "limit": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        Success: {
                            /** @description SS58 address of the owner. */
                            ss58_address: string;
                            /** @description The folder. */
                            folder_hash: string;
                            /** @description Files, ordered by path hash. */
                            files: components["schemas"]["FileEntryWithoutNulls"][];
                            /**
                             * Format: int64
                             * @description Number of files in the folder.
                             */
                            total_count: number;
                            /** @description Whether there are more files after this page. */
                            has_more: boolean;
                            /**
                             * Format: int32
                             * @description Number of files before this page.
                             */
                            offset: number;
                            /**
                             * Format: int32
                             * @description Page size.
                             */
                            limit: number;
                        };
                    };
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description An internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
        };
    };
    BrowseFolder: {
        parameters: {
            query?: {
                /**
                 * @description Path of the directory; default is the root.
                 * @example path
                 */
                path?: string;
                /**
                 * @description Number of entries to skip; default 0. Directories come before files.
                 * @example 1
                 */
                offset?: number;
                /**
                 * @description Maximum number of entries (directories and files); default 50, maximum 200.
                 * @example 1
                 */
                limit?: number;
                /**
                 * @description Sort order of files (not directories): file_name (default), size_bytes, created_at, updated_at, extension or uploaded_by; any other value means file_name.
                 * @example updated_at
                 */
                sort_by?: string;
                /**
                 * @description `asc` or `desc`; any other value means `asc`.
                 * @example desc
                 */
                sort_order?: string;
                /**
                 * @description Category or extension, as in `searchFiles`. If set, directories are not listed.
                 * @example document
                 */
                file_type?: string;
                /**
                 * @description Only files uploaded by this SS58 address. If set, directories are not listed.
                 * @example uploaded_by
                 */
                uploaded_by?: string;
            };
            header?: never;
            path: {
                /**
                 * @description SS58 address of the owner.
                 * @example 5GmS1wtCfR4tK5SSgnZbVT4kYw5W8NmxmijcsxCQE6oLW6A8
                 */
                ss58: string;
                /**
                 * @description Folder hash: 16 hex digits.
                 * @example 37a8eec1ce19687d
                 */
                folder_hash: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Success": {
                     *         "ss58_address": "5GmS1wtCfR4tK5SSgnZbVT4kYw5W8NmxmijcsxCQE6oLW6A8",
                     *         "folder_hash": "37a8eec1ce19687d",
                     *         "path": "path",
                     *         "folders": [
                     *           {
                     *             "name": "first",
                     *             "file_count": 1,
                     *             "total_bytes": 1
                     *           }
                     *         ],
                     *         "files": [
                     *           {
                     *             "path_hash": [
                     *               1
                     *             ],
                     *             "salted_hash": [
                     *               1
                     *             ],
                     *             "size_bytes": 4096,
                     *             "revision_seq": 1,
                     *             "revision_id": [
                     *               1
                     *             ],
                     *             "encrypted_path": [
                     *               1
                     *             ],
                     *             "file_name": "notes.txt",
                     *             "relative_path": "docs/notes.txt",
                     *             "store_hash": "store_hash",
                     *             "chunk_hashes": [
                     *               "chunk_hashes"
                     *             ],
                     *             "created_at": 1,
                     *             "updated_at": 1,
                     *             "uploaded_by": "uploaded_by"
                     *           }
                     *         ],
                     *         "total_count": 1,
                     *         "has_more": true,
                     *         "offset": 1,
                     *         "limit": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        Success: {
                            /** @description SS58 address of the owner. */
                            ss58_address: string;
                            /** @description The folder. */
                            folder_hash: string;
                            /** @description Path of the directory, without leading or trailing slash; empty for the root. */
                            path: string;
                            /** @description Directories, by name, case-insensitive. */
                            folders: {
                                /** @description Name of the directory, without its parents. */
                                name: string;
                                /**
                                 * Format: int64
                                 * @description Number of files in the directory and its subdirectories.
                                 */
                                file_count: number;
                                /**
                                 * Format: uint64
                                 * @description Total size of these files in bytes, before encryption.
                                 */
                                total_bytes: number;
                            }[];
                            /** @description Files in the requested order; by name if none is given. */
                            files: components["schemas"]["FileEntryWithoutNulls"][];
                            /**
                             * Format: int64
                             * @description Total number of directories and files.
                             */
                            total_count: number;
                            /** @description Whether there are more entries after this page. */
                            has_more: boolean;
                            /**
                             * Format: int32
                             * @description Number of entries before this page.
                             */
                            offset: number;
                            /**
                             * Format: int32
                             * @description Page size.
                             */
                            limit: number;
                        };
                    };
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description An internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
        };
    };
    SearchFiles: {
        parameters: {
            query?: {
                /**
                 * @description Substring of the file name, or of the relative path if the file has no name; case-insensitive, at most 256 characters.
                 * @example notes
                 */
                q?: string;
                /**
                 * @description Category (image, video, audio, document, pdf, archive or code) or extension such as `.png`.
                 * @example document
                 */
                file_type?: string;
                /**
                 * @description Minimum size in bytes before encryption.
                 * @example 0
                 */
                size_min?: string | number;
                /**
                 * @description Maximum size in bytes before encryption.
                 * @example 1000000
                 */
                size_max?: string | number;
                /**
                 * @description Earliest creation time, in Unix seconds.
                 * @example 1763000000
                 */
                date_from?: string | number;
                /**
                 * @description Latest creation time, in Unix seconds.
                 * @example 1764000000
                 */
                date_to?: string | number;
                /**
                 * @description Number of files to skip; default 0.
                 * @example 1
                 */
                offset?: number;
                /**
                 * @description Page size; default 25, maximum 10000.
                 * @example 1
                 */
                limit?: number;
                /**
                 * @description Sort order: file_name, size_bytes, created_at or updated_at; any other value means created_at.
                 * @example updated_at
                 */
                sort_by?: string;
                /**
                 * @description `asc` or `desc`; any other value means `desc`.
                 * @example desc
                 */
                sort_order?: string;
            };
            header?: never;
            path: {
                /**
                 * @description SS58 address of the owner.
                 * @example 5GmS1wtCfR4tK5SSgnZbVT4kYw5W8NmxmijcsxCQE6oLW6A8
                 */
                ss58: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Success": {
                     *         "ss58_address": "5GmS1wtCfR4tK5SSgnZbVT4kYw5W8NmxmijcsxCQE6oLW6A8",
                     *         "files": [
                     *           {
                     *             "folder_hash": "37a8eec1ce19687d",
                     *             "folder_label": "folder_label",
                     *             "path_hash": [
                     *               1
                     *             ],
                     *             "salted_hash": [
                     *               1
                     *             ],
                     *             "size_bytes": 4096,
                     *             "revision_seq": 1,
                     *             "revision_id": [
                     *               1
                     *             ],
                     *             "encrypted_path": [
                     *               1
                     *             ],
                     *             "file_name": "notes.txt",
                     *             "relative_path": "docs/notes.txt",
                     *             "store_hash": "store_hash",
                     *             "chunk_hashes": [
                     *               "chunk_hashes"
                     *             ],
                     *             "created_at": 1,
                     *             "updated_at": 1,
                     *             "uploaded_by": "uploaded_by"
                     *           }
                     *         ],
                     *         "total_count": 1,
                     *         "has_more": true,
                     *         "offset": 1,
                     *         "limit": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        Success: {
                            /** @description SS58 address of the owner. */
                            ss58_address: string;
                            /** @description In the requested order, then by path hash. */
                            files: {
                                /** @description Hash of the folder that contains the file; empty for files of an object-store gateway. */
                                folder_hash: string;
                                /** @description Label of the folder; empty if the folder is not registered. */
                                folder_label: string;
                                /** @description 32 bytes: BLAKE3 of the relative path. */
                                path_hash: number[];
                                /** @description 32 bytes: BLAKE3 of the owner’s address and the plaintext. */
                                salted_hash: number[];
                                /**
                                 * Format: uint64
                                 * @description Bytes before encryption.
                                 */
                                size_bytes: number;
                                /**
                                 * Format: uint64
                                 * @description Sequence number; increases with every revision.
                                 */
                                revision_seq: number;
                                /** @description 32 bytes: revision id, assigned by the server. */
                                revision_id: number[];
                                /** @description The relative path, encrypted; may be empty. */
                                encrypted_path: number[];
                                /** @description Plaintext file name; null if the client did not send it. */
                                file_name: string | null;
                                /** @description Plaintext path, segments separated by `/`; null if the client did not send it. */
                                relative_path: string | null;
                                /** @description BLAKE3 of the stored ciphertext, hex. */
                                store_hash: string | null;
                                /** @description BLAKE3 of each stored chunk, hex, in order; null for more than 64 chunks. */
                                chunk_hashes: string[] | null;
                                /**
                                 * Format: int64
                                 * @description When the file was created, in Unix seconds.
                                 */
                                created_at: number;
                                /**
                                 * Format: int64
                                 * @description When this revision was stored, in Unix seconds.
                                 */
                                updated_at: number;
                                /** @description SS58 address of the uploader; null if unknown. */
                                uploaded_by?: string;
                            }[];
                            /**
                             * Format: int64
                             * @description Total number of matching files.
                             */
                            total_count: number;
                            /** @description Whether there are more matching files after this page. */
                            has_more: boolean;
                            /**
                             * Format: int32
                             * @description Number of files before this page; 0 when `after` is used.
                             */
                            offset: number;
                            /**
                             * Format: int32
                             * @description Page size.
                             */
                            limit: number;
                        };
                    };
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description An internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
        };
    };
    Download: {
        parameters: {
            query?: never;
            header?: {
                /** @example bytes=0-1023 */
                Range?: string;
            };
            path: {
                /** @example 5GmS1wtCfR4tK5SSgnZbVT4kYw5W8NmxmijcsxCQE6oLW6A8 */
                ss58: string;
                /** @example 37a8eec1ce19687d */
                folder_hash: string;
                /** @example b3c1f0a9d2e47586f0a1b2c3d4e5f60718293a4b5c6d7e8f9a0b1c2d3e4f5061 */
                file_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The whole content. */
            200: {
                headers: {
                    /**
                     * @description Size in bytes before encryption.
                     * @example
                     */
                    "X-Size-Bytes"?: string;
                    /**
                     * @description The id of the revision, 64 hex digits.
                     * @example
                     */
                    "X-Revision-Id"?: string;
                    /**
                     * @description The number of the revision.
                     * @example
                     */
                    "X-Revision-Seq"?: string;
                    /**
                     * @description The id of the file.
                     * @example
                     */
                    "X-File-Id"?: string;
                    /**
                     * @description The SS58 address of the owner.
                     * @example
                     */
                    "X-Ss58-Address"?: string;
                    /**
                     * @description The hash of the folder.
                     * @example
                     */
                    "X-Folder-Hash"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /** @example The encrypted bytes of the file. */
                    "application/octet-stream": string;
                };
            };
            /** @description The requested range. */
            206: {
                headers: {
                    /**
                     * @description Size in bytes before encryption.
                     * @example
                     */
                    "X-Size-Bytes"?: string;
                    /**
                     * @description The id of the revision, 64 hex digits.
                     * @example
                     */
                    "X-Revision-Id"?: string;
                    /**
                     * @description The number of the revision.
                     * @example
                     */
                    "X-Revision-Seq"?: string;
                    /**
                     * @description The id of the file.
                     * @example
                     */
                    "X-File-Id"?: string;
                    /**
                     * @description The SS58 address of the owner.
                     * @example
                     */
                    "X-Ss58-Address"?: string;
                    /**
                     * @description The hash of the folder.
                     * @example
                     */
                    "X-Folder-Hash"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /** @example The encrypted bytes of the file. */
                    "application/octet-stream": string;
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description The resource does not exist, or belongs to another user. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description The range starts after the end; `Content-Range` has the total length. */
            416: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description Too many requests; `Retry-After` has the seconds to wait. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description An internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description A part of the platform is not available at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
        };
    };
    Download2: {
        parameters: {
            query?: never;
            header?: {
                /** @example bytes=0-1023 */
                Range?: string;
            };
            path: {
                /** @example 5GmS1wtCfR4tK5SSgnZbVT4kYw5W8NmxmijcsxCQE6oLW6A8 */
                ss58: string;
                /** @example b3c1f0a9d2e47586f0a1b2c3d4e5f60718293a4b5c6d7e8f9a0b1c2d3e4f5061 */
                file_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The whole content. */
            200: {
                headers: {
                    /**
                     * @description Size in bytes before encryption.
                     * @example
                     */
                    "X-Size-Bytes"?: string;
                    /**
                     * @description The id of the revision, 64 hex digits.
                     * @example
                     */
                    "X-Revision-Id"?: string;
                    /**
                     * @description The number of the revision.
                     * @example
                     */
                    "X-Revision-Seq"?: string;
                    /**
                     * @description The id of the file.
                     * @example
                     */
                    "X-File-Id"?: string;
                    /**
                     * @description The SS58 address of the owner.
                     * @example
                     */
                    "X-Ss58-Address"?: string;
                    /**
                     * @description The hash of the folder.
                     * @example
                     */
                    "X-Folder-Hash"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /** @example The encrypted bytes of the file. */
                    "application/octet-stream": string;
                };
            };
            /** @description The requested range. */
            206: {
                headers: {
                    /**
                     * @description Size in bytes before encryption.
                     * @example
                     */
                    "X-Size-Bytes"?: string;
                    /**
                     * @description The id of the revision, 64 hex digits.
                     * @example
                     */
                    "X-Revision-Id"?: string;
                    /**
                     * @description The number of the revision.
                     * @example
                     */
                    "X-Revision-Seq"?: string;
                    /**
                     * @description The id of the file.
                     * @example
                     */
                    "X-File-Id"?: string;
                    /**
                     * @description The SS58 address of the owner.
                     * @example
                     */
                    "X-Ss58-Address"?: string;
                    /**
                     * @description The hash of the folder.
                     * @example
                     */
                    "X-Folder-Hash"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /** @example The encrypted bytes of the file. */
                    "application/octet-stream": string;
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description The resource does not exist, or belongs to another user. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description The range starts after the end; `Content-Range` has the total length. */
            416: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description Too many requests; `Retry-After` has the seconds to wait. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description An internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description A part of the platform is not available at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
        };
    };
    DeleteFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description SS58 address of the owner.
                 * @example 5GmS1wtCfR4tK5SSgnZbVT4kYw5W8NmxmijcsxCQE6oLW6A8
                 */
                ss58: string;
                /**
                 * @description Folder hash: 16 hex digits; omit it for files of an object-store gateway.
                 * @example 37a8eec1ce19687d
                 */
                folder_hash: string;
                /**
                 * @description File id: hex of the path hash.
                 * @example b3c1f0a9d2e47586f0a1b2c3d4e5f60718293a4b5c6d7e8f9a0b1c2d3e4f5061
                 */
                file_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Success": {
                     *         "status": "status",
                     *         "file_id": "b3c1f0a9d2e47586f0a1b2c3d4e5f60718293a4b5c6d7e8f9a0b1c2d3e4f5061",
                     *         "ss58_address": "5GmS1wtCfR4tK5SSgnZbVT4kYw5W8NmxmijcsxCQE6oLW6A8",
                     *         "folder_hash": "37a8eec1ce19687d"
                     *       }
                     *     }
                     */
                    "application/json": {
                        Success: {
                            /** @description `deleted`; in a list also `already_deleted`. */
                            status: string;
                            /** @description Hex of its path hash. */
                            file_id: string;
                            /** @description SS58 address of the owner. */
                            ss58_address: string;
                            /** @description Hash of the folder that contained the file; empty for files of an object-store gateway. */
                            folder_hash: string;
                        };
                    };
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description The resource does not exist, or belongs to another user. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description An internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
        };
    };
    DeleteFile2: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description SS58 address of the owner.
                 * @example 5GmS1wtCfR4tK5SSgnZbVT4kYw5W8NmxmijcsxCQE6oLW6A8
                 */
                ss58: string;
                /**
                 * @description File id: hex of the path hash.
                 * @example b3c1f0a9d2e47586f0a1b2c3d4e5f60718293a4b5c6d7e8f9a0b1c2d3e4f5061
                 */
                file_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "folder_hash": "37a8eec1ce19687d"
                 *     }
                 */
                "application/json": {
                    /** @description Folder hash: 16 hex digits; omit it for files of an object-store gateway. */
                    folder_hash?: string | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Success": {
                     *         "status": "status",
                     *         "file_id": "b3c1f0a9d2e47586f0a1b2c3d4e5f60718293a4b5c6d7e8f9a0b1c2d3e4f5061",
                     *         "ss58_address": "5GmS1wtCfR4tK5SSgnZbVT4kYw5W8NmxmijcsxCQE6oLW6A8",
                     *         "folder_hash": "37a8eec1ce19687d"
                     *       }
                     *     }
                     */
                    "application/json": {
                        Success: {
                            /** @description `deleted`; in a list also `already_deleted`. */
                            status: string;
                            /** @description Hex of its path hash. */
                            file_id: string;
                            /** @description SS58 address of the owner. */
                            ss58_address: string;
                            /** @description Hash of the folder that contained the file; empty for files of an object-store gateway. */
                            folder_hash: string;
                        };
                    };
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description The resource does not exist, or belongs to another user. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description The body did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description An internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
        };
    };
    DeleteFiles: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "ss58_address": "5GmS1wtCfR4tK5SSgnZbVT4kYw5W8NmxmijcsxCQE6oLW6A8",
                 *       "folder_hash": "37a8eec1ce19687d",
                 *       "file_ids": [
                 *         "b3c1f0a9d2e47586f0a1b2c3d4e5f60718293a4b5c6d7e8f9a0b1c2d3e4f5061"
                 *       ],
                 *       "quiet": true
                 *     }
                 */
                "application/json": {
                    /** @description SS58 address of the owner. Also accepted as `user_id`. */
                    ss58_address: string;
                    /** @description Folder hash: 16 hex digits; omit it for files of an object-store gateway. */
                    folder_hash?: string | null;
                    /** @description File ids: hex of the path hashes, at most 1000. */
                    file_ids: string[];
                    /** @description Return errors only. */
                    quiet?: boolean | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Success": {
                     *         "deleted": [
                     *           {
                     *             "file_id": "b3c1f0a9d2e47586f0a1b2c3d4e5f60718293a4b5c6d7e8f9a0b1c2d3e4f5061",
                     *             "status": "status"
                     *           }
                     *         ],
                     *         "errors": [
                     *           {
                     *             "file_id": "b3c1f0a9d2e47586f0a1b2c3d4e5f60718293a4b5c6d7e8f9a0b1c2d3e4f5061",
                     *             "code": "code",
                     *             "error": "error",
                     *             "message": "The error message, one sentence."
                     *           }
                     *         ],
                     *         "files_deleted": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        Success: {
                            /** @description Deleted files; null if only errors were requested. */
                            deleted?: {
                                /** @description Hex of its path hash. */
                                file_id: string;
                                /** @description `deleted`; in a list also `already_deleted`. */
                                status: string;
                            }[];
                            /** @description Files that could not be deleted. */
                            errors: {
                                /** @description The value from the request. */
                                file_id: string;
                                /** @description Error code. */
                                code: string;
                                /** @description Error code. */
                                error: string;
                                /** @description Error message. */
                                message: string;
                            }[];
                            /**
                             * Format: int32
                             * @description Number of files that this request deleted.
                             */
                            files_deleted: number;
                        };
                    };
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description The body did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description An internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
        };
    };
    RenameFiles: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "ss58_address": "5GmS1wtCfR4tK5SSgnZbVT4kYw5W8NmxmijcsxCQE6oLW6A8",
                 *       "folder_hash": "37a8eec1ce19687d",
                 *       "renames": [
                 *         {
                 *           "base_revision_id": "b3c1f0a9d2e47586f0a1b2c3d4e5f60718293a4b5c6d7e8f9a0b1c2d3e4f5061",
                 *           "new_encrypted_path": "7f6e5d",
                 *           "new_file_name": "plans.txt",
                 *           "new_path_hash": "7f9726ff050f0654b755c562658f60206ebf7b0d7face6e48db88815daa64a46",
                 *           "new_relative_path": "docs/plans.txt",
                 *           "old_path_hash": "b24fe3e5bfd4694fd0dd67bdc0c9ead848200790b54bd483f120dcd791b3914e"
                 *         }
                 *       ],
                 *       "signature": "15d3a99f587185591f65f7370286c885668b75420b915d603f1fdeb79789e0862a60fc7f336921df19e17fb8dd0fbfe3266194db8e430301727db6d880280f06",
                 *       "signing_key": "c5785e1865b708938aff8161d573006496663b1aa10834e396dc566869a2c66a"
                 *     }
                 */
                "application/json": {
                    /** @description SS58 address of the owner. Also accepted as `user_id`. */
                    ss58_address: string;
                    /** @description Folder hash: 16 hex digits. */
                    folder_hash: string;
                    /** @description Files to rename, at most 1000. */
                    renames: components["schemas"]["RenameInput"][];
                    /** @description 64 bytes: Ed25519 signature of the message that lists the pairs of path hashes. */
                    signature: number[] | string;
                    /** @description 32 bytes: Ed25519 public key that verifies the signature. */
                    signing_key: number[] | string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Success": {
                     *         "status": "status",
                     *         "renamed_count": 1,
                     *         "successes": [
                     *           {
                     *             "old_path_hash": [
                     *               1
                     *             ],
                     *             "new_path_hash": [
                     *               1
                     *             ],
                     *             "new_revision_id": [
                     *               1
                     *             ],
                     *             "new_revision_seq": 1
                     *           }
                     *         ],
                     *         "failures": [
                     *           {
                     *             "old_path_hash": [
                     *               1
                     *             ],
                     *             "reason": "reason"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        Success: {
                            /** @description `ok`, even if no file was renamed. */
                            status: string;
                            /**
                             * Format: int32
                             * @description Number of renamed files.
                             */
                            renamed_count: number;
                            /** @description Renamed files. */
                            successes: {
                                /** @description Old path hash. */
                                old_path_hash: number[];
                                /** @description The path hash it has. */
                                new_path_hash: number[];
                                /** @description 32 bytes: id of the new revision. */
                                new_revision_id: number[];
                                /**
                                 * Format: uint64
                                 * @description Sequence number of the new revision: the old one plus one.
                                 */
                                new_revision_seq: number;
                            }[];
                            /** @description Files that were not renamed. */
                            failures: {
                                /** @description The path hash it has. */
                                old_path_hash: number[];
                                /** @description not_found, target_exists, revision_mismatch, or database_error if the sequence number cannot be increased. */
                                reason: string;
                            }[];
                        };
                    };
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description The body did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description An internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
        };
    };
    RegisterRelativePaths: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description SS58 address of the owner.
                 * @example 5GmS1wtCfR4tK5SSgnZbVT4kYw5W8NmxmijcsxCQE6oLW6A8
                 */
                ss58: string;
                /**
                 * @description Folder hash: 16 hex digits.
                 * @example 37a8eec1ce19687d
                 */
                folder_hash: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "entries": [
                 *         {
                 *           "path_hash": "b3c1f0a9d2e47586f0a1b2c3d4e5f60718293a4b5c6d7e8f9a0b1c2d3e4f5061",
                 *           "relative_path": "docs/notes.txt"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @description Files and their paths, at most 500. */
                    entries: components["schemas"]["RelativePathInput"][];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Success": {
                     *         "updated": 1,
                     *         "skipped": 1,
                     *         "errors": [
                     *           {
                     *             "path_hash": "b3c1f0a9d2e47586f0a1b2c3d4e5f60718293a4b5c6d7e8f9a0b1c2d3e4f5061",
                     *             "reason": "reason"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        Success: {
                            /**
                             * Format: int32
                             * @description Number of files that have a path now and had none before.
                             */
                            updated: number;
                            /**
                             * Format: int32
                             * @description Number of files that already had this path.
                             */
                            skipped: number;
                            /** @description Paths that were not registered; a path is never overwritten. */
                            errors: {
                                /** @description The value from the request. */
                                path_hash: string;
                                /** @description invalid_path, not_found or path_mismatch. */
                                reason: string;
                            }[];
                        };
                    };
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description The body did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description An internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
        };
    };
    CanUpload: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "ss58_address": "5GmS1wtCfR4tK5SSgnZbVT4kYw5W8NmxmijcsxCQE6oLW6A8",
                 *       "folder_hash": "37a8eec1ce19687d",
                 *       "size_bytes": 4096
                 *     }
                 */
                "application/json": {
                    /** @description SS58 address of the owner. Also accepted as `user_id`. */
                    ss58_address: string;
                    /** @description Folder hash of the target folder: 16 hex digits. The answer is the same for every folder of the owner. */
                    folder_hash?: string | null;
                    /**
                     * Format: uint64
                     * @description Bytes before encryption.
                     */
                    size_bytes: number | string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "result": true,
                     *       "error": "error",
                     *       "Success": {
                     *         "result": true,
                     *         "error": "error"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description True if it can be uploaded. */
                        result: boolean;
                        /** @description Why it cannot be uploaded; starts with `billing:` if credits are missing. */
                        error?: string;
                    } & {
                        Success: {
                            /** @description True if it can be uploaded. */
                            result: boolean;
                            /** @description Why it cannot be uploaded; starts with `billing:` if credits are missing. */
                            error?: string;
                        };
                    };
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description The body did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description An internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
        };
    };
    FolderEntries: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Your SS58 address.
                 * @example 5GmS1wtCfR4tK5SSgnZbVT4kYw5W8NmxmijcsxCQE6oLW6A8
                 */
                ss58: string;
                /**
                 * @description Folder hash: 16 hex digits.
                 * @example 37a8eec1ce19687d
                 */
                folder_hash: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "relative_paths": [
                     *         "relative_paths"
                     *       ],
                     *       "Success": {
                     *         "relative_paths": [
                     *           "relative_paths"
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description Paths of the directories, segments separated by `/`, sorted. */
                        relative_paths: string[];
                    } & {
                        Success: {
                            /** @description Paths of the directories, segments separated by `/`, sorted. */
                            relative_paths: string[];
                        };
                    };
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description An internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
        };
    };
    UserSummary: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description SS58 address of the owner.
                 * @example 5GmS1wtCfR4tK5SSgnZbVT4kYw5W8NmxmijcsxCQE6oLW6A8
                 */
                ss58: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Success": {
                     *         "ss58_address": "5GmS1wtCfR4tK5SSgnZbVT4kYw5W8NmxmijcsxCQE6oLW6A8",
                     *         "total_bytes": 1,
                     *         "file_count": 1,
                     *         "created_at": 1,
                     *         "updated_at": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        Success: {
                            /** @description SS58 address of the owner. */
                            ss58_address: string;
                            /**
                             * Format: uint64
                             * @description Bytes before encryption.
                             */
                            total_bytes: number;
                            /**
                             * Format: int64
                             * @description Number of files.
                             */
                            file_count: number;
                            /**
                             * Format: uint64
                             * @description When the first folder was created, in Unix seconds; null without folders.
                             */
                            created_at: number | null;
                            /**
                             * Format: int64
                             * @description When a file last changed, in Unix seconds; null without folders.
                             */
                            updated_at: number | null;
                        };
                    };
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description An internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
        };
    };
    FileTypeSummary: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description SS58 address of the owner.
                 * @example 5GmS1wtCfR4tK5SSgnZbVT4kYw5W8NmxmijcsxCQE6oLW6A8
                 */
                ss58: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Success": {
                     *         "other": 2,
                     *         "other_bytes": 4096
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description Two fields for each kind: `<kind>` is the number of files, `<kind>_bytes` their total size before encryption. */
                        Success: {
                            [key: string]: number;
                        };
                    };
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description An internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
        };
    };
    SourceSummary: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description SS58 address of the owner.
                 * @example 5GmS1wtCfR4tK5SSgnZbVT4kYw5W8NmxmijcsxCQE6oLW6A8
                 */
                ss58: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Success": {
                     *         "other": 2,
                     *         "other_bytes": 4096
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description Two fields for each kind: `<kind>` is the number of files, `<kind>_bytes` their total size before encryption. */
                        Success: {
                            [key: string]: number;
                        };
                    };
                };
            };
            /** @description A field is missing, malformed or not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description Missing or invalid credentials. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description The caller does not have permission, or does not have it yet. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description An internal error. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Error": {
                     *         "error": "error",
                     *         "message": "The error message, one sentence."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FolderRefusal"];
                };
            };
        };
    };
}
