/// The states that the death of a process leaves: every number of operations, the last write cut
/// short at pages, after one byte, after half and before the last byte.
package enum KillStates {
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
