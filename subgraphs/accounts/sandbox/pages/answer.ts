/** An HTML page or a redirect. */
export interface PageAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Redirects, so that a reload does not submit the form again. */
export function redirect(url: string): PageAnswer {
  const location = new URL(url).href;
  return {
    status: 303,
    headers: { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
    body: '',
  };
}
