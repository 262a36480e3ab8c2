import { suiteOf } from './test/support/suite.ts';

export default suiteOf(['browser', 'faults', 'package']);
