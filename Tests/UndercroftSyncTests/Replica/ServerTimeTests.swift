import Testing
import UndercroftSync

/// Tests of the estimate of the difference between the clocks of a server and of a device.
@Suite struct ServerTimeTests {
  @Test(
    arguments: [
      (server: -30, duration: 50, difference: 0), (server: -80, duration: 50, difference: -30),
      (server: 20, duration: 50, difference: 20), (server: -30, duration: nil, difference: -30),
      (server: -30, duration: -9, difference: -30), (server: 0, duration: 0, difference: 0),
    ] as [(server: Int64, duration: Int64?, difference: Int64)])
  func `a device estimates the smallest clock offset that the time in the server's answer permits`(
    server: Int64, duration: Int64?, difference: Int64
  ) throws {
    let branch = try Town().branch()
    let now = branch.town.clock.now

    try branch.receive([], serverTime: now + server, sentAt: duration.map { now - $0 })

    #expect(try branch.replica.state().serverOffset == difference)
  }
}
