/// The disk states that a process may leave if it is killed at one point of a trace.
///
/// The operation at that point is missing or, if it is a write, may be torn: after one byte, after
/// half of the bytes, before the last byte, or at one of the first 16 page boundaries.
package enum KillStates {
  /// Returns the states that a process may leave if it is killed at a point of a trace.
  package static func all(at point: Int, of trace: Trace) -> [CrashState] {
    var states = [CrashState(.kill, point: point)]
    guard point < trace.operations.count,
      case .write(_, let offset, let bytes) = trace.operations[point], bytes.count > 1
    else { return states }
    var cuts: Set = [1, bytes.count / 2, bytes.count - 1]
    let firstPage = Replay.pageSize - offset % Replay.pageSize
    cuts.formUnion(stride(from: firstPage, to: bytes.count, by: Replay.pageSize).prefix(16))
    for cut in cuts.sorted() where cut > 0 {
      var state = CrashState(.kill, point: point)
      state.torn = (point, .cut(cut))
      states.append(state)
    }
    return states
  }
}
