import { describeMainJob } from './main-job.ts';
import { Mouse } from './mouse.ts';

describeMainJob({ device: 'mouse', handsFor: (gallery) => new Mouse(gallery), isThorough: true });
