import { describe, expect, it } from '@jest/globals';
import { call } from '../../kit/platform.js';

describe('the health endpoints', () => {
  it('GET /health answers flat, without a token', async () => {
    const { status, body } = await call('GET /health');
    expect({ status, body }).toEqual({
      status: 200,
      body: { status: 'healthy', version: expect.stringMatching(/^\d+\.\d+\.\d+/), capabilities: expect.any(Array) },
    });
  });

  it('GET /health names what clients may use', async () => {
    const { body } = await call('GET /health');
    expect(body.capabilities).toEqual(expect.arrayContaining(['folders', 'upload', 'upload_sessions', 'search_files']));
  });

  it('GET /health/ready says that every part is ready', async () => {
    const { status, body } = await call('GET /health/ready');
    expect({ status, body }).toEqual({ status: 200, body: { status: 'ready' } });
  });

  it('GET /health/live says that the process lives', async () => {
    const { status } = await call('GET /health/live');
    expect(status).toBe(200);
  });

  it.each(['GET /health/', 'GET /health/ready/', 'GET /health/live/', 'GET /healthz', 'GET /readyz'])(
    '%s answers too',
    async (target) => {
      const { status } = await call(target);
      expect(status).toBe(200);
    },
  );

  it('ignores a token that is none', async () => {
    const { status } = await call('GET /health', { token: 'nonsense' });
    expect(status).toBe(200);
  });
});
