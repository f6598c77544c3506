/// The error that rolls back a transaction of the server whose request is refused.
struct RefusedRequest: Error {
  let refusal: SyncRefusal

  init(_ refusal: SyncRefusal) { self.refusal = refusal }
}
