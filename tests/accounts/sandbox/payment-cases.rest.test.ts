import { describePayments } from '../../kit/payment-cases.js';
import { describeRepeats } from '../../kit/repeat-cases.js';
import { platform } from '../../kit/platform.js';

describePayments(() => ({ url: platform().url, sandboxUrl: platform().url }));
describeRepeats(() => ({ url: platform().url, sandboxUrl: platform().url }));
