const KEY = 'archipelago.token';

/** The token of this tab, until it is closed. @returns {string | null} */
export function storedToken() {
  return sessionStorage.getItem(KEY);
}

/** @param {string} token */
export function storeToken(token) {
  sessionStorage.setItem(KEY, token);
}

export function forgetToken() {
  sessionStorage.removeItem(KEY);
}
