import { sample } from '../support/sample.ts';
import { survivesAFaultAtEachCall } from './nth-call.ts';

survivesAFaultAtEachCall(sample(2));
