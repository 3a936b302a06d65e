import { describePayments } from '../kit/payment-cases.js';
import { platform } from '../kit/platform.js';

describePayments(() => ({ url: platform().url, sandboxUrl: platform().url }));
