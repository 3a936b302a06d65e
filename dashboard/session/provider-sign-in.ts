const KEY = 'archipelago.sign-in';

/** Notes in this tab that it starts a sign-in with a provider. Returns the state that must come back with the code. */
export function startProviderSignIn(): string {
  const state = crypto.getRandomValues(new Uint32Array(4)).join('-');
  sessionStorage.setItem(KEY, state);
  return state;
}

/** Whether this tab started the sign-in with this state, which is used up: a code from another page may be of another account. */
export function endProviderSignIn(state: string | undefined): boolean {
  const started = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  return started !== null && started === state;
}

/** Empties the storage of this tab, except for a sign-in that it started. */
export function clearTab(): void {
  const started = sessionStorage.getItem(KEY);
  sessionStorage.clear();
  if (started !== null) sessionStorage.setItem(KEY, started);
}
