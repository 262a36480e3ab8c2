/** The path of a picture that the service draws for the demo graph. */
export const DEMO_PICTURE = /^\/demo\/(?:avatars|badges|headers)\/[\w.%~!'()*-]+\.svg$/;
