import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Json } from '../../kit/platform.js';
import { TestSocket } from '../../kit/socket.js';
import { TestUpload } from '../../kit/files/upload.js';
import { signIn, type SignedIn } from '../../kit/accounts/wallet.js';

const watching = (id: string, name = ''): string =>
  `subscription ${name} { uploadSessionChanged(sessionId: "${id}") { sessionId state totalChunks chunksReceived } }`;
const sessionIn = ({ data }: Json): Json => data.uploadSessionChanged;

let user: SignedIn;
let other: SignedIn;
beforeAll(async () => {
  user = await signIn();
  other = await signIn();
});

describe('uploadSessionChanged', () => {
  it('gives the session at once, then after each change, and ends with it', async () => {
    const upload = await TestUpload.open({ user });
    await upload.put(4);
    const socket = await TestSocket.open(user.token);
    socket.subscribe('1', watching(upload.id));
    const common = { sessionId: upload.id, totalChunks: 5 };
    expect(sessionIn(await socket.result('1', 1))).toEqual({ ...common, state: 'receiving', chunksReceived: [4] });
    await upload.put(1);
    expect(sessionIn(await socket.result('1', 2))).toEqual({ ...common, state: 'receiving', chunksReceived: [1, 4] });
    await upload.put(0);
    await socket.result('1', 3);
    await upload.put(2);
    await socket.result('1', 4);
    await upload.put(3);
    await socket.result('1', 5);
    await upload.finalize();
    const whole = { ...common, state: 'finalized', chunksReceived: [0, 1, 2, 3, 4] };
    expect(sessionIn(await socket.result('1', 6))).toEqual(whole);
    await upload.delete();
    await socket.completion('1');
    socket.close();
  });

  it('can be watched by any number of equal subscriptions, which share one', async () => {
    const watcher = await signIn();
    const upload = await TestUpload.open({ user: watcher });
    const sockets = await Promise.all(Array.from({ length: 4 }, () => TestSocket.open(watcher.token)));
    for (const socket of sockets)
      for (let number = 0; number < 40; number++) {
        socket.subscribe(`${number}`, watching(upload.id));
        await socket.result(`${number}`, 1);
      }
    await upload.put(0);
    const heard = await Promise.all(sockets.map((socket) => socket.result('39', 2)));
    expect(heard.map((one) => sessionIn(one).chunksReceived)).toEqual([[0], [0], [0], [0]]);
    for (const socket of sockets) socket.close();
  });

  it('can be watched by a hundred different subscriptions of a user, not more, until one of them ends', async () => {
    const watcher = await signIn();
    const upload = await TestUpload.open({ user: watcher });
    const sockets = await Promise.all(Array.from({ length: 3 }, () => TestSocket.open(watcher.token)));
    const [first, second, third] = sockets as [TestSocket, TestSocket, TestSocket];
    for (let number = 0; number < 50; number++) {
      first.subscribe(`${number}`, watching(upload.id, `First${number}`));
      second.subscribe(`${number}`, watching(upload.id, `Second${number}`));
    }
    for (let number = 0; number < 50; number++)
      await Promise.all([first.result(`${number}`, 1), second.result(`${number}`, 1)]);
    third.subscribe('late', watching(upload.id, 'Third'));
    expect((await third.result('late', 1)).errors[0].extensions.code).toBe('RATE_LIMITED');
    await upload.put(0);
    const notified = await Promise.all([first.result('49', 2), second.result('49', 2)]);
    expect(notified.map((one) => sessionIn(one).chunksReceived)).toEqual([[0], [0]]);
    await upload.delete();
    await Promise.all([first.completion('0'), second.completion('0')]);
    const next = await TestUpload.open({ user: watcher });
    third.subscribe('again', watching(next.id));
    expect(sessionIn(await third.result('again', 1)).sessionId).toBe(next.id);
    for (const socket of sockets) socket.close();
  });

  it('tells another nothing', async () => {
    const upload = await TestUpload.open({ user });
    const socket = await TestSocket.open(other.token);
    socket.subscribe('1', watching(upload.id));
    const { errors } = await socket.result('1', 1);
    expect(errors[0].extensions.code).toBe('FORBIDDEN');
    socket.close();
  });

  it('is not found for a session that is not there', async () => {
    const socket = await TestSocket.open(user.token);
    socket.subscribe('1', watching('0'.repeat(32)));
    const { errors } = await socket.result('1', 1);
    expect(errors[0].extensions.code).toBe('NOT_FOUND');
    socket.close();
  });
});
