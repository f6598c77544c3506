#if SyncHTTP && SyncServer
  import NetworkTestSupport
  import UndercroftCore
  import UndercroftSQLite
  import UndercroftSync

  /// The check of the devices and the server after a soak.
  ///
  /// The devices of each scope and the server must have equal rows, and these rows must result from
  /// the edits that the devices have committed.
  struct SoakComparison {
    let plan: SoakPlan
    let place: SyncPlace
    let service: NetworkService

    /// Ends the faults, synchronises all devices, stops the server, and compares.
    func run(_ report: inout SyncKillReport) throws {
      service.setDisturbed(false)
      // The second time, a device pulls what the others have pushed.
      for device in Array(0..<plan.devices) + Array(0..<plan.devices) {
        do { try finish(device) } catch {
          report.note(.other, "\(plan.name(of: device)): \(error)")
        }
      }
      for status in service.stop() where status != 0 {
        report.note(.other, "a server ended with the wait status \(status)")
      }
      let server = SyncPlace.server(of: try service.openStore())
      for scope in 0..<plan.scopes { try compare(scope, server, &report) }
    }

    private func finish(_ device: Int) throws {
      let device = try SoakDevice(
        device, of: plan, in: place, port: service.relay.port, token: service.token)
      try device.finish()
      try device.close()
    }

    private func compare(
      _ scope: Int, _ server: SyncServer, _ report: inout SyncKillReport
    ) throws {
      let contents = try SyncContents(of: server, scope: plan.scope(number: scope))
      var expected = ExpectedLibrary()
      for device in plan.devices(of: scope) {
        let database = try plan.database(of: device, in: place)
        for problem in try contents.differences(from: database) {
          report.note(.unequal, "\(plan.name(of: device)): \(problem)")
        }
        let committed: Int64 = try database.fetchValue(
          "SELECT coalesce(max(number), 0) FROM progress")
        let edits = plan.edits(of: device)
        for number in 0..<committed { expected.enter(edits.transaction(number + 1)) }
        try database.close()
      }
      SyncFinding.check(expected, contents, &report)
    }
  }
#endif
