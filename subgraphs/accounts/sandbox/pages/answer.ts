/** What a page answers. */
export interface PageAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sends the browser on, so that to reload is not to submit again. */
export function goTo(url: string): PageAnswer {
  const location = new URL(url).href;
  return {
    status: 303,
    headers: { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
    body: '',
  };
}
