import { describePayments } from '../../kit/payments/payment-cases.js';
import { describeRepeats } from '../../kit/payments/repeat-cases.js';
import { platform } from '../../kit/platform.js';

describePayments(() => ({ url: platform().url, sandboxUrl: platform().url }));
describeRepeats(() => ({ url: platform().url, sandboxUrl: platform().url }));
