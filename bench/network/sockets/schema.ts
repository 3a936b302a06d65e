/** The schema of the subgraph whose events the sockets get. */
export const SCHEMA = 'type Query { book: String } type Subscription { added: String }';
