"""Client of the Archipelago platform. Needs Python 3.10 or newer and no other package."""

from .api import Api
from .document import has_mutation
from .transport import PlatformError, Transport, unknown_answer

__all__ = ["Archipelago", "PlatformError"]


class Archipelago(Api):
    """A client of the platform: one method for each REST operation, and `graphql`.

    >>> client = Archipelago("http://localhost:4000", token="...")
    >>> client.own_credit_balance()["balance"]
    """

    def __init__(self, url, token=None, attempts=4, timeout=60.0):
        """
        :param url: address of the platform
        :param token: API token or access token; None for an anonymous client
        :param attempts: attempts of a request that may be repeated; 1 turns retries off
        :param timeout: seconds to wait for an answer
        """
        super().__init__(Transport(url, token, attempts, timeout))

    def sign_in_with_wallet(self, address, substrate_address, sign, referral_code="", prove=None):
        """Sign in with a wallet and use its token from now on.

        :param sign: function that signs a text with EIP-191 personal_sign and returns 0x and 130 hex digits
        :param prove: function that signs the same text with the key of the SS58 address (sr25519, Ed25519 or ECDSA) and
            returns 0x and hex digits; it proves that the address is yours
        :returns: the account: token, user_id, username, substrate_address, is_new
        """
        pair = {"address": address, "substrate_address": substrate_address}
        started = self.request_challenge(pair)
        challenge = started["challenge"]
        account = self.sign_in(
            {
                **pair,
                "challenge": challenge,
                "signature": sign(started["message"]),
                **({} if prove is None else {"substrate_signature": prove(started["message"])}),
                "referral_code": referral_code,
                "session_data": {"challenge": challenge, "address": address},
            }
        )
        self.transport.token = account["token"]
        return account

    def graphql(self, query, variables=None, is_repeatable=None):
        """Execute a GraphQL query or mutation and return its data. Raises PlatformError with the first error.

        :param is_repeatable: whether it may be sent twice; None: a query may, a mutation may not. Give True for a mutation
            with an idempotency key.
        """
        body = {"query": query, "variables": variables or {}}
        if is_repeatable is None:
            is_repeatable = not has_mutation(query)
        answer = self.transport.call("POST", "/graphql", body=body, is_repeatable=is_repeatable, accepts_errors=True)
        answer = answer if isinstance(answer, dict) else {}
        errors = answer.get("errors") or []
        if errors:
            code = (errors[0].get("extensions") or {}).get("code")
            raise PlatformError(errors[0]["message"], None, code, answer)
        if answer.get("data") is None:
            raise unknown_answer(200)
        return answer["data"]
