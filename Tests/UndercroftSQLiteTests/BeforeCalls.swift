import SystemCallFaults
import Testing

private final class Action {
  let body: () throws -> Void
  init(_ body: @escaping () throws -> Void) { self.body = body }

  var retained: UnsafeMutableRawPointer { Unmanaged.passRetained(self).toOpaque() }

  static let run: @convention(c) (UnsafeMutableRawPointer?) -> Void = { context in
    guard let context else { return }
    let action = Unmanaged<Action>.fromOpaque(context).takeRetainedValue()
    #expect(throws: Never.self) { try action.body() }
  }
}

/// Runs `body` once, before this thread next flushes a file.
func beforeFlush(_ body: @escaping () throws -> Void) {
  faults_before_sync(Action.run, Action(body).retained)
}

/// Runs `body` once, before this thread calls `pread` for the `number`-th time, counted from 1.
func beforeRead(_ number: Int, _ body: @escaping () throws -> Void) {
  faults_before_read(Int32(clamping: number), Action.run, Action(body).retained)
}
