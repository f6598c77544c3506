import SystemCallFaults
import Testing

private final class Action {
  let body: () throws -> Void
  init(_ body: @escaping () throws -> Void) { self.body = body }
}

/// Runs `body` once, before this thread next flushes a file.
func beforeFlush(_ body: @escaping () throws -> Void) {
  faults_before_sync(
    { context in
      guard let context else { return }
      let action = Unmanaged<Action>.fromOpaque(context).takeRetainedValue()
      #expect(throws: Never.self) { try action.body() }
    }, Unmanaged.passRetained(Action(body)).toOpaque())
}
