/// The state of a database's ``RowGate`` on one writing connection.
struct GateState {
  /// The version of the gate for which the monitors were installed.
  var version = 0
  var recorder: ChangeRecorder?
}
