import FlyingFox

/// What answers a request.
package enum LiveAnswer {
    /// A response with all of its body.
    case whole(HTTPResponse)
    /// The stream of events.
    case events(LiveReader)
}
