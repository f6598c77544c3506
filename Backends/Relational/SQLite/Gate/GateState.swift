/// What the gate has asked of one writing connection.
struct GateState {
  /// The state of the gate that its monitors stand for.
  var version = 0
  var recorder: ChangeRecorder?
}
