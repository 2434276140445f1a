import { describeMainJob } from '../support/main-job.ts';
import { mouse } from '../support/mouse.ts';

describeMainJob({ device: 'mouse', hands: mouse, isThorough: true });
