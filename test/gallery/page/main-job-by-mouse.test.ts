import { describeMainJob } from '../support/main-job.ts';
import { Mouse } from '../support/mouse.ts';

describeMainJob({ device: 'mouse', handsFor: (gallery) => new Mouse(gallery), isThorough: true });
