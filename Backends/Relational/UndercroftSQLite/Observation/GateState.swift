/// The state of the gate on one writing connection.
struct GateState {
  /// The version of the gate for which the monitors were installed.
  var version = 0
  var recorder: ChangeRecorder?
}
