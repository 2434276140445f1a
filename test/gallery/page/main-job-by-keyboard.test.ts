import { keyboard } from '../support/keyboard.ts';
import { describeMainJob } from '../support/main-job.ts';

describeMainJob({ device: 'keyboard', hands: keyboard, isThorough: false });
